# finalizer: BRIG program -> AMDGCN code object. Two parts that know no LLVM for the tests, and the library that
# the runtime loads, which alone is linked against LLVM.
noinst_LTLIBRARIES += liblink.la
liblink_la_SOURCES = finalizer/failure.c finalizer/failure.h finalizer/failure.def \
	finalizer/link.c finalizer/link.h finalizer/link_internal.h finalizer/link_reloc.def \
	finalizer/link_hash.c finalizer/link_layout.c finalizer/link_read.c finalizer/link_reloc.c \
	finalizer/link_write.c

if LLVM
noinst_LTLIBRARIES += libfinalizer.la
lib_LTLIBRARIES += libhsa-ext-finalize64.la
pkglibexec_PROGRAMS += hsail-finalize-worker
hsailinclude_HEADERS += include/hsail/finalize.h
endif

libfinalizer_la_SOURCES = \
	finalizer/debug.c finalizer/emit.c finalizer/emit.h finalizer/emit_atomic.c finalizer/emit_cvt.c finalizer/emit_div.c \
	finalizer/emit_fp.c finalizer/emit_half.c finalizer/emit_int.c \
	finalizer/flow.c finalizer/flow.h finalizer/flow_rebuild.c finalizer/llvm.c finalizer/llvm.h \
	finalizer/lower.c finalizer/lower.def finalizer/lower.h finalizer/lower_alloca.c finalizer/lower_arith.c \
	finalizer/lower_atomic.c \
	finalizer/lower_bits.c finalizer/lower_branch.c finalizer/lower_cmp.c finalizer/lower_control.c \
	finalizer/lower_dispatch.c finalizer/lower_function.c finalizer/lower_global.c finalizer/lower_graph.c \
	finalizer/lower_image.c finalizer/lower_linkage.c \
	finalizer/lower_memory.c finalizer/lower_move.c finalizer/lower_operand.c \
	finalizer/lower_packed.c finalizer/lower_special.c finalizer/lower_symbol.c finalizer/lower_sync.c \
	finalizer/lower_vector.h finalizer/nan.c finalizer/ones.c finalizer/regions.c \
	finalizer/options.c finalizer/program.c finalizer/program.h \
	finalizer/target.c finalizer/target.h finalizer/type.h
libfinalizer_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CFLAGS)

libhsa_ext_finalize64_la_SOURCES = finalizer/export.h finalizer/offline.c finalizer/plugin.c finalizer/tools_library.c \
	finalizer/worker.c finalizer/worker.h finalizer/worker_io.c finalizer/worker_start.c
libhsa_ext_finalize64_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBEXECDIR='"$(pkglibexecdir)"'
libhsa_ext_finalize64_la_LIBADD = libfinalizer.la liblink.la libbrig.la $(LLVM_LIBS)
# The first release. The number of the interface is what the file name has to end in, .so.1, for the HSA runtimes that
# load it.
libhsa_ext_finalize64_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 -no-undefined \
	-export-symbols-regex '^(hsa_ext_program_.*_impl|hsail_finalize.*|Load|Unload|OnLoad|OnUnload|HSA_AMD_TOOL_PRIORITY)$$'
libhsa_ext_finalize64_la_LINK = $(PUBLIC_LINK) $(libhsa_ext_finalize64_la_LDFLAGS)

# What compiles: started by the library above, found from its place.
hsail_finalize_worker_SOURCES = finalizer/worker_main.c finalizer/worker_io.c finalizer/worker.h
hsail_finalize_worker_LDADD = libfinalizer.la liblink.la libbrig.la $(LLVM_LIBS)
