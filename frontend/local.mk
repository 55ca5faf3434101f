# frontend: HSAIL text to BRIG and back
noinst_LTLIBRARIES += libfrontend.la
libfrontend_la_SOURCES = \
	frontend/asm.c frontend/asm.h frontend/asm_p.h \
	frontend/asm_constant.c frontend/asm_constant_p.h \
	frontend/asm_directive.c \
	frontend/asm_executable.c \
	frontend/asm_hint.c \
	frontend/asm_image.c \
	frontend/asm_initializer.c \
	frontend/asm_literal.c \
	frontend/asm_operand.c \
	frontend/asm_plain.c \
	frontend/asm_symbol.c \
	frontend/asm_word.c \
	frontend/dis.c frontend/dis.h frontend/dis_p.h \
	frontend/dis_constant.c \
	frontend/dis_directive.c \
	frontend/dis_inst.c \
	frontend/dis_layout.c \
	frontend/format.c frontend/format.h frontend/format_p.h frontend/format_space.c \
	frontend/keyword.def \
	frontend/locate.c frontend/locate.h \
	frontend/lexer.c frontend/lexer.h \
	frontend/number.c frontend/number.h frontend/number_print.c \
	frontend/parser.c frontend/parser.h \
	frontend/stale.def frontend/wanted.def \
	frontend/symbol.c frontend/symbol.h
libfrontend_la_LIBADD = libbrig.la

hsailinclude_HEADERS += include/hsail/builder.h include/hsail/hsail.h \
	include/hsail/reader.h include/hsail/rewriter.h
# The functions of hsail.h, for the library and for tests that also use inner functions.
noinst_LTLIBRARIES += libhsailapi.la
libhsailapi_la_SOURCES = \
	frontend/hsail.c frontend/hsail_p.h \
	frontend/hsail_arrange.c frontend/hsail_code.h \
	frontend/hsail_builder.c frontend/hsail_builder_define.c frontend/hsail_builder_p.h \
	frontend/hsail_color.c \
	frontend/hsail_cursor.c \
	frontend/hsail_diag.c \
	frontend/hsail_lines.c \
	frontend/hsail_live.c \
	frontend/hsail_operand.c \
	frontend/hsail_place.c \
	frontend/hsail_print.c \
	frontend/hsail_reader.c frontend/hsail_reader_p.h \
	frontend/hsail_reader_operand.c \
	frontend/hsail_recheck.c \
	frontend/hsail_rewrite.c frontend/hsail_rewrite_p.h \
	frontend/hsail_rewrite_operand.c \
	frontend/hsail_statement.c
libhsailapi_la_LIBADD = libfrontend.la

lib_LTLIBRARIES += libhsail.la
libhsail_la_SOURCES =
libhsail_la_LIBADD = libhsailapi.la
libhsail_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -Wl,--version-script=$(srcdir)/frontend/hsail.map
libhsail_la_LINK = $(PUBLIC_LINK) $(libhsail_la_LDFLAGS)
EXTRA_libhsail_la_DEPENDENCIES = $(srcdir)/frontend/hsail.map
EXTRA_DIST += frontend/hsail.map
EXTRA_DIST += frontend/lexer.re frontend/parser.y

# This is made in the source directory, as automake does with files that a tarball contains.
RE2CFLAGS = -W -Werror -i -g --no-generation-date
BISONFLAGS = -Wall -Werror --no-lines
BUILT_SOURCES += frontend/parser.h
MAINTAINERCLEANFILES += frontend/lexer.c frontend/parser.c frontend/parser.h

$(srcdir)/frontend/lexer.c: $(srcdir)/frontend/lexer.re
	$(AM_V_GEN)$(RE2C) $(RE2CFLAGS) -o $@.tmp $(srcdir)/frontend/lexer.re && mv -f $@.tmp $@

# bison runs in the source directory, as it makes the header's guard from the path that it is given.
$(srcdir)/frontend/parser.c: $(srcdir)/frontend/parser.y
	$(AM_V_GEN)cd $(srcdir) && $(BISON) $(BISONFLAGS) --header=frontend/parser.h -o frontend/parser.c frontend/parser.y

$(srcdir)/frontend/parser.h: $(srcdir)/frontend/parser.c
	@test -f $@ || { rm -f $(srcdir)/frontend/parser.c; $(MAKE) $(AM_MAKEFLAGS) $(srcdir)/frontend/parser.c; }
