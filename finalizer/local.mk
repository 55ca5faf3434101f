# finalizer: BRIG program -> AMDGCN code object. The library that the runtime loads needs no LLVM: it starts a worker,
# which does, or loads a module of the same code where none can be started.
noinst_LTLIBRARIES += liblink.la
liblink_la_SOURCES = finalizer/failure.c finalizer/failure.h finalizer/failure.def \
	finalizer/link.c finalizer/link.h finalizer/link_internal.h finalizer/link_reloc.def \
	finalizer/link_hash.c finalizer/link_join.c finalizer/link_layout.c finalizer/link_metadata.c finalizer/link_read.c \
	finalizer/link_reloc.c finalizer/link_write.c

if LLVM
noinst_LTLIBRARIES += libprogram.la libfinalizer.la
lib_LTLIBRARIES += libhsa-ext-finalize64.la
pkglib_LTLIBRARIES += hsail-compile.la
pkglibexec_PROGRAMS += hsail-finalize-worker
hsailinclude_HEADERS += include/hsail/finalize.h
endif

# What is known of a program before it is compiled.
libprogram_la_SOURCES = finalizer/lower_state.c finalizer/lower_symbol.c finalizer/options.c \
	finalizer/program.c finalizer/program.h finalizer/target.c finalizer/target.h
libprogram_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CFLAGS)

libfinalizer_la_SOURCES = \
	finalizer/bytes.c finalizer/program_compile.c finalizer/compiler.h finalizer/debug.c \
	finalizer/debug_local.c finalizer/debug_pragma.c finalizer/debug_source.c finalizer/debug_source.h \
	finalizer/debug_symbol.c finalizer/debug_type.c finalizer/emit.c finalizer/emit.h finalizer/emit_atomic.c \
	finalizer/emit_cvt.c finalizer/emit_div.c \
	finalizer/emit_exception.c finalizer/emit_fp.c finalizer/emit_half.c finalizer/emit_int.c \
	finalizer/constants.c finalizer/demote.c finalizer/disjoint.c finalizer/flow.c finalizer/flow.h finalizer/flow_exits.c \
	finalizer/flow_rebuild.c finalizer/llvm.c finalizer/llvm.h \
	finalizer/lower.c finalizer/lower.def finalizer/lower.h finalizer/lower_alloca.c finalizer/lower_arith.c \
	finalizer/lower_atomic.c \
	finalizer/lower_bits.c finalizer/lower_branch.c finalizer/lower_cmp.c finalizer/lower_control.c \
	finalizer/lower_dispatch.c finalizer/lower_function.c finalizer/lower_global.c finalizer/lower_graph.c \
	finalizer/lower_image.c finalizer/lower_linkage.c \
	finalizer/lower_memory.c finalizer/lower_move.c finalizer/lower_operand.c \
	finalizer/lower_packed.c finalizer/lower_resource.c finalizer/lower_share.c finalizer/lower_special.c finalizer/lower_sync.c \
	finalizer/lower_vector.h finalizer/lower_vendor.c finalizer/lower_vendor_float.c finalizer/nan.c \
	finalizer/ones.c finalizer/ones.h finalizer/ones_copy.c finalizer/pieces.c finalizer/pieces.h \
	finalizer/pieces_frame.c finalizer/pieces_make.c \
	finalizer/products.c finalizer/regions.c finalizer/undefined.c \
	finalizer/type.h
libfinalizer_la_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CFLAGS)

FINALIZER_LIBS = libfinalizer.la libprogram.la liblink.la libbrig.la

libhsa_ext_finalize64_la_SOURCES = finalizer/compiler.h finalizer/compiler_load.c finalizer/export.h finalizer/offline.c \
	finalizer/plugin.c finalizer/shares.c finalizer/tools_library.c finalizer/worker.c finalizer/worker.h
libhsa_ext_finalize64_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"' -DPKGLIBEXECDIR='"$(pkglibexecdir)"'
libhsa_ext_finalize64_la_LIBADD = libworker.la libprogram.la liblink.la libbrig.la
# The first release. The number of the interface is what the file name has to end in, .so.1, for the HSA runtimes that
# load it.
libhsa_ext_finalize64_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 -no-undefined \
	-export-symbols-regex '^(hsa_ext_program_.*_impl|hsail_finalize.*|Load|Unload|OnLoad|OnUnload|HSA_AMD_TOOL_PRIORITY)$$'
libhsa_ext_finalize64_la_LINK = $(PUBLIC_LINK) $(libhsa_ext_finalize64_la_LDFLAGS)

# What compiles: started by the library above, found from its place.
hsail_finalize_worker_SOURCES = finalizer/compiler.h finalizer/worker_main.c finalizer/worker.h
hsail_finalize_worker_LDADD = libworker.la $(FINALIZER_LIBS) $(LLVM_WORKER_LIBS)
hsail_finalize_worker_LDFLAGS = $(AM_LDFLAGS) $(LLVM_WORKER_LDFLAGS)

# The same for a process that cannot have a worker, found likewise.
hsail_compile_la_SOURCES = finalizer/compiler.h finalizer/compiler_module.c finalizer/export.h
hsail_compile_la_LIBADD = $(FINALIZER_LIBS) $(LLVM_LIBS)
hsail_compile_la_LDFLAGS = $(AM_LDFLAGS) -shared -module -avoid-version -no-undefined \
	-export-symbols-regex '^hsail_compiler$$'
