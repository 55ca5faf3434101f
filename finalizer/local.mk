# finalizer: BRIG program -> AMDGCN code object
noinst_LTLIBRARIES += liblink.la
liblink_la_SOURCES = \
	finalizer/link.c finalizer/link.h finalizer/link_internal.h finalizer/link_reloc.def \
	finalizer/link_hash.c finalizer/link_layout.c finalizer/link_read.c finalizer/link_reloc.c \
	finalizer/link_write.c
liblink_la_LIBADD = libsupport.la
