# brig: the tables of HSAIL, and BRIG in memory: view, builder, reader, structural checks, dump
#
# The public header includes its tables as "brig/tables/..."; installed, that path is beside the header.
hsailincludedir = $(includedir)/hsail
hsailinclude_HEADERS = include/hsail/brig.h
hsailtablesdir = $(includedir)/hsail/brig/tables
hsailtables_HEADERS = \
	brig/tables/item.def brig/tables/opcode.def brig/tables/type.def brig/tables/value.def
