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
	brig/builder.c brig/builder.h \
	brig/control.c brig/control.h \
	brig/diag.c brig/diag.h \
	brig/dump.c brig/dump.h \
	brig/inst.c \
	brig/isa.c brig/isa.h \
	brig/item.c brig/item.h \
	brig/limit.h \
	brig/mnemonic.c brig/mnemonic.h \
	brig/module.h \
	brig/operand_type.c brig/operand_type.h \
	brig/reader.c \
	brig/rule.c brig/rule.h \
	brig/validate.c brig/validate.h brig/validate_p.h \
	brig/validate_call.c brig/validate_code.c brig/validate_control.c brig/validate_extension.c \
	brig/validate_formal.c brig/validate_pragma.c \
	brig/validate_inst.c brig/validate_name.c brig/validate_operand.c \
	brig/validate_reference.c brig/validate_variable.c \
	brig/verify.h \
	brig/verify_code.c brig/verify_field.c brig/verify_inst.c \
	brig/verify_layout.c brig/verify_operand.c \
	brig/tables/control.def brig/tables/diag.def brig/tables/image.def \
	brig/tables/operand.def brig/tables/pragma.def brig/tables/rule.def brig/tables/slot.def
libbrig_la_LIBADD = libsupport.la
