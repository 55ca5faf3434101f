# bench: benchmarks, which are no tests. Each prints lines in the form of bench/bench.h; `make bench` runs all of them.
BENCHES =
EXTRA_PROGRAMS = $(BENCHES)
EXTRA_DIST += bench/run bench/bench.h bench/bench_hsa.h bench/check_bench.sh bench/code_bench.sh bench/examples.cl \
	bench/hip_bench.cpp bench/hip_bench.sh bench/hip_solve.cpp bench/hip_start.c bench/hip_streams.cpp

# To add a benchmark:
#   BENCHES += bench/NAME_bench
#   bench_NAME_bench_SOURCES = bench/NAME_bench.c
#   bench_NAME_bench_LDADD = ...

bench: all $(BENCHES)
	srcdir=$(srcdir) LLVM_BINDIR=$(LLVM_BINDIR) CLANG=$(CLANG) \
	HSA_GCN_JIT_WORKER=$(abs_builddir)/hsail-gcn-worker HSA_GCN_JIT_CACHE=off \
		$(SHELL) $(top_srcdir)/bench/run $(BENCHES) $(srcdir)/bench/code_bench.sh $(srcdir)/bench/check_bench.sh \
		$(srcdir)/bench/hip_bench.sh
.PHONY: bench
CLEANFILES += $(BENCHES)

BENCHES += bench/gcn_bench
bench_gcn_bench_SOURCES = bench/gcn_bench.c
bench_gcn_bench_LDADD = $(GCN_LIBS)

BENCHES += bench/hot_bench
bench_hot_bench_SOURCES = bench/hot_bench.c
bench_hot_bench_LDADD = $(GCN_LIBS)

BENCHES += bench/dispatch_bench
bench_dispatch_bench_LDADD = libhsail.la libhsa-runtime64.la
BENCHES += bench/signal_bench
bench_signal_bench_LDADD = libhsa-runtime64.la
BENCHES += bench/asm_bench
bench_asm_bench_SOURCES = bench/asm_bench.c bench/asm_input.c bench/asm_input.h
bench_asm_bench_LDADD = libhsail.la libsupport.la
BENCHES += bench/builder_bench
bench_builder_bench_SOURCES = bench/builder_bench.c
bench_builder_bench_LDADD = libhsail.la
if LLVM
BENCHES += bench/finalize_bench bench/growth_bench
endif
bench_growth_bench_SOURCES = bench/growth_bench.c bench/growth_code.c bench/growth_code.h
bench_growth_bench_LDADD = libhsa-ext-finalize64.la libhsail.la
bench_finalize_bench_SOURCES = bench/finalize_bench.c
bench_finalize_bench_LDADD = libhsa-ext-finalize64.la libhsail.la

if GCN_JIT
BENCHES += bench/compiled_bench
bench_compiled_bench_SOURCES = bench/compiled_bench.c
bench_compiled_bench_CPPFLAGS = $(AM_CPPFLAGS) -DBENCH_JIT_WORKER='"$(abs_top_builddir)/hsail-gcn-worker"'
bench_compiled_bench_LDADD = $(GCN_LIBS)
EXTRA_bench_compiled_bench_DEPENDENCIES = bench/compiled_kernels.co hsail-gcn-worker$(EXEEXT)
bench/compiled_kernels.co: bench/compiled_kernels.cl
	$(AM_V_GEN)$(CLANG) -target amdgcn-amd-amdhsa -mcpu=gfx900 -mcode-object-version=4 -nogpulib -cl-std=CL2.0 \
		-O2 -fuse-ld=lld -o $@ $(srcdir)/bench/compiled_kernels.cl
BENCHES += bench/opencl_bench
bench_opencl_bench_SOURCES = bench/opencl_bench.c
bench_opencl_bench_LDADD = libhsa-runtime64.la -ldl -lm
EXTRA_bench_opencl_bench_DEPENDENCIES = bench/opencl_kernels.co
bench/opencl_kernels.co: bench/opencl_kernels.cl
	$(AM_V_GEN)$(CLANG) -target amdgcn-amd-amdhsa -mcpu=gfx900 -mcode-object-version=4 -nogpulib -cl-std=CL2.0 \
		-O2 -fuse-ld=lld -o $@ $(srcdir)/bench/opencl_kernels.cl
CLEANFILES += bench/compiled_kernels.co bench/opencl_kernels.co
endif
EXTRA_DIST += bench/compiled_kernels.cl bench/compiled_bench.c bench/opencl_kernels.cl bench/opencl_bench.c

BENCHES += bench/loader_bench
bench_loader_bench_SOURCES = bench/loader_bench.c
bench_loader_bench_LDADD = libhsa-runtime64.la
