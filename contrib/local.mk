# contrib: Vim syntax and a TextMate grammar, made in the build directory from the tables of the language
EDITOR_FILES = contrib/vim/syntax/hsail.vim contrib/textmate/hsail.tmLanguage.json
EDITOR_TABLES = \
	brig/tables/opcode.def brig/tables/slot.def brig/tables/type.def brig/tables/value.def frontend/keyword.def

vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
nodist_vimsyntax_DATA = contrib/vim/syntax/hsail.vim
vimftdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimftdetect_DATA = contrib/vim/ftdetect/hsail.vim
textmatedir = $(pkgdatadir)/textmate
nodist_textmate_DATA = contrib/textmate/hsail.tmLanguage.json
CLEANFILES += $(EDITOR_FILES)
EXTRA_DIST += contrib/fill.awk $(EDITOR_FILES:=.in)

$(EDITOR_FILES): contrib/fill.awk $(EDITOR_TABLES)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir) && \
	LC_ALL=C $(AWK) -f contrib/fill.awk $(EDITOR_TABLES) $@.in >$(abs_builddir)/$@.tmp && \
	mv -f $(abs_builddir)/$@.tmp $(abs_builddir)/$@
contrib/vim/syntax/hsail.vim: contrib/vim/syntax/hsail.vim.in
contrib/textmate/hsail.tmLanguage.json: contrib/textmate/hsail.tmLanguage.json.in
