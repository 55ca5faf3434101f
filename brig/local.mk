# brig: the tables of HSAIL, and BRIG in memory: view, builder, reader, structural checks, dump
#
# The public header includes its tables as "brig/tables/..."; installed, that path is beside the header.
hsailincludedir = $(includedir)/hsail
hsailinclude_HEADERS = include/hsail/brig.h
hsailtablesdir = $(includedir)/hsail/brig/tables
hsailtables_HEADERS = \
	brig/tables/item.def brig/tables/opcode.def brig/tables/type.def brig/tables/value.def

noinst_LTLIBRARIES += libbrig.la
libbrig_la_SOURCES = \
	brig/module_builder.c brig/module_builder.h \
	brig/control.c brig/control.h \
	brig/diag_rule.c brig/diag_rule.h \
	brig/dump.c brig/dump.h \
	brig/inst.c \
	brig/language.c brig/language.h \
	brig/item.c brig/item.h \
	brig/limit.h \
	brig/lint.c brig/lint.h brig/lint_p.h brig/lint_flow.c brig/lint_group.c brig/lint_register.c \
	brig/mnemonic.c brig/mnemonic.h \
	brig/module.h \
	brig/operand_type.c brig/operand_type.h \
	brig/reader.c \
	brig/reference.c brig/reference.h \
	brig/rule.c brig/rule.h \
	brig/validate.c brig/validate.h brig/meaning_p.h \
	brig/meaning_call.c brig/meaning_code.c brig/meaning_directive.c \
	brig/meaning_formal.c brig/meaning_pragma.c \
	brig/meaning_inst.c brig/meaning_name.c brig/meaning_operand.c \
	brig/meaning_variable.c \
	brig/structure.h \
	brig/structure_code.c brig/structure_field.c brig/structure_inst.c \
	brig/structure_layout.c brig/structure_operand.c \
	brig/tables/control.def brig/tables/diag.def brig/tables/image.def \
	brig/tables/operand.def brig/tables/pragma.def brig/tables/rule.def brig/tables/slot.def
libbrig_la_LIBADD = libsupport.la
