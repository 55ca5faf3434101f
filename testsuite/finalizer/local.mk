# testsuite/finalizer: tests of this area
check_PROGRAMS += testsuite/finalizer/link_tool
testsuite_finalizer_link_tool_LDADD = liblink.la libbrig.la
EXTRA_DIST += testsuite/finalizer/amd/client.c testsuite/finalizer/amd/kmt.c testsuite/finalizer/amd/kmt_unsupported.c
EXTRA_DIST += testsuite/finalizer/lines.sh testsuite/finalizer/pragmas.sh testsuite/finalizer/amd_runtime.sh
EXTRA_DIST += testsuite/finalizer/link.ll testsuite/finalizer/link_more.ll

LLVM_HELPERS += testsuite/finalizer/finalize_tool
testsuite_finalizer_finalize_tool_LDADD = libhsa-ext-finalize64.la libsupport.la

LLVM_TESTS += testsuite/finalizer/hostile_test
testsuite_finalizer_hostile_test_LDADD = libhsa-ext-finalize64.la libhsail.la

# Tests that execute compiled code on the engine of the software GPU, and compare it with the host's arithmetic.
if LLVM
check_LTLIBRARIES += testsuite/finalizer/libgpu.la
endif
testsuite_finalizer_libgpu_la_SOURCES = testsuite/finalizer/gpu.c testsuite/finalizer/gpu.h
testsuite_finalizer_libgpu_la_LIBADD = libhsa-ext-finalize64.la libhsail.la $(GCN_LIBS)
LLVM_TESTS += testsuite/finalizer/float_test testsuite/finalizer/cvt_test
testsuite_finalizer_float_test_SOURCES = testsuite/finalizer/float_test.c testsuite/finalizer/fp_model.h
testsuite_finalizer_cvt_test_SOURCES = testsuite/finalizer/cvt_test.c testsuite/finalizer/fp_model.h
testsuite_finalizer_cvt_test_LDADD = testsuite/finalizer/libgpu.la
testsuite_finalizer_float_test_CFLAGS = $(AM_CFLAGS) -frounding-math -ffp-contract=off
testsuite_finalizer_float_test_LDADD = testsuite/finalizer/libgpu.la

dist_check_SCRIPTS += testsuite/finalizer/link_test.sh
TESTS += testsuite/finalizer/lines.sh testsuite/finalizer/pragmas.sh testsuite/finalizer/amd_runtime.sh
TESTS += testsuite/finalizer/link_test.sh

LLVM_TESTS += testsuite/finalizer/program_test testsuite/finalizer/offline_test
testsuite_finalizer_program_test_SOURCES = testsuite/finalizer/program_test.c testsuite/finalizer/program_text.h
testsuite_finalizer_program_test_LDADD = libhsa-ext-finalize64.la libhsail.la
testsuite_finalizer_program_test_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
testsuite_finalizer_offline_test_SOURCES = testsuite/finalizer/offline_test.c testsuite/finalizer/program_text.h
testsuite_finalizer_offline_test_LDADD = libhsa-ext-finalize64.la libhsail.la

LLVM_TESTS += testsuite/finalizer/plugin_test
testsuite_finalizer_plugin_test_LDADD = libhsail.la
testsuite_finalizer_plugin_test_LDFLAGS = $(AM_LDFLAGS) -export-dynamic

LLVM_TESTS += testsuite/finalizer/run_test
testsuite_finalizer_run_test_LDADD = testsuite/finalizer/libgpu.la
EXTRA_DIST += testsuite/finalizer/run.hsail

LLVM_TESTS += testsuite/finalizer/alloca_test
testsuite_finalizer_alloca_test_LDADD = testsuite/finalizer/libgpu.la

LLVM_TESTS += testsuite/finalizer/long_test
testsuite_finalizer_long_test_LDADD = testsuite/finalizer/libgpu.la

LLVM_TESTS += testsuite/finalizer/miscompiled_test
testsuite_finalizer_miscompiled_test_LDADD = testsuite/finalizer/libgpu.la
EXTRA_DIST += testsuite/finalizer/miscompiled.hsail

LLVM_TESTS += testsuite/finalizer/flow_test
testsuite_finalizer_flow_test_LDADD = testsuite/finalizer/libgpu.la

LLVM_TESTS += testsuite/finalizer/signal_test
testsuite_finalizer_signal_test_LDADD = testsuite/finalizer/libgpu.la

# Exceptions of floating point, detected and halting kernels.
LLVM_TESTS += testsuite/finalizer/exception_test
testsuite_finalizer_exception_test_CFLAGS = $(AM_CFLAGS) -frounding-math -ftrapping-math -ffp-contract=off
testsuite_finalizer_exception_test_LDADD = testsuite/finalizer/libgpu.la -lm

# Kernels that use images which the runtime makes.
LLVM_TESTS += testsuite/finalizer/image_test
IMAGE_BED = testsuite/finalizer/image_bed.c testsuite/finalizer/image_bed.h testsuite/finalizer/image_model.c \
	testsuite/finalizer/image_model.h
testsuite_finalizer_image_test_SOURCES = testsuite/finalizer/image_test.c $(IMAGE_BED)
testsuite_finalizer_image_test_LDADD = testsuite/finalizer/libgpu.la libhsa-runtime64.la
LLVM_TESTS += testsuite/finalizer/handle_test
testsuite_finalizer_handle_test_SOURCES = testsuite/finalizer/handle_test.c $(IMAGE_BED)
testsuite_finalizer_handle_test_LDADD = testsuite/finalizer/libgpu.la libhsa-runtime64.la
LLVM_TESTS += testsuite/finalizer/image_matrix_test
testsuite_finalizer_image_matrix_test_SOURCES = testsuite/finalizer/image_matrix_test.c $(IMAGE_BED)
testsuite_finalizer_image_matrix_test_LDADD = testsuite/finalizer/libgpu.la libhsa-runtime64.la

# All combinations instead of a sample.
.PHONY: check-images
check-images:
	HSAIL_IMAGES=all $(MAKE) $(AM_MAKEFLAGS) check TESTS=testsuite/finalizer/image_matrix_test

# Every processor as a target.
dist_check_SCRIPTS += testsuite/finalizer/targets.sh testsuite/finalizer/other_targets.sh
TESTS += testsuite/finalizer/targets.sh testsuite/finalizer/other_targets.sh

# The same with everything, which takes hours, or with everything for the processors of a list:
#   make check-targets HSAIL_TARGETS="gfx906 gfx1030"
.PHONY: check-targets
check-targets:
	HSAIL_TARGETS="$${HSAIL_TARGETS:-all}" $(MAKE) $(AM_MAKEFLAGS) check \
		TESTS='testsuite/finalizer/targets.sh testsuite/finalizer/other_targets.sh'

# Compiling in another process, by good and by bad workers.
LLVM_TESTS += testsuite/finalizer/worker_test testsuite/finalizer/shares_test
testsuite_finalizer_shares_test_LDADD = testsuite/finalizer/libgpu.la
dist_check_SCRIPTS += testsuite/finalizer/shares.sh
TESTS += testsuite/finalizer/shares.sh
LLVM_HELPERS += testsuite/finalizer/bad_worker
testsuite_finalizer_worker_test_LDADD = libhsa-ext-finalize64.la libhsail.la
testsuite_finalizer_bad_worker_SOURCES = testsuite/finalizer/bad_worker.c finalizer/worker.h
testsuite_finalizer_bad_worker_LDADD = libworker.la libsupport.la

# Tests of the finalizer together with the runtime.
if LLVM
check_LTLIBRARIES += testsuite/finalizer/libonhsa.la
endif
testsuite_finalizer_libonhsa_la_SOURCES = testsuite/finalizer/on_hsa.c testsuite/finalizer/on_hsa.h
testsuite_finalizer_libonhsa_la_LIBADD = libhsa-ext-finalize64.la libhsail.la libhsa-runtime64.la
LLVM_TESTS += testsuite/finalizer/linkage_test
testsuite_finalizer_linkage_test_LDADD = testsuite/finalizer/libonhsa.la
LLVM_TESTS += testsuite/finalizer/dynamic_group_test
testsuite_finalizer_dynamic_group_test_LDADD = testsuite/finalizer/libonhsa.la
LLVM_TESTS += testsuite/finalizer/image_init_test
testsuite_finalizer_image_init_test_LDADD = testsuite/finalizer/libonhsa.la libsupport.la

# The compiler that is loaded if no worker can be started.
dist_check_SCRIPTS += testsuite/finalizer/compiler.sh
TESTS += testsuite/finalizer/compiler.sh

LLVM_TESTS += testsuite/finalizer/refused_test
testsuite_finalizer_refused_test_LDADD = libhsa-ext-finalize64.la libhsail.la

LLVM_TESTS += testsuite/finalizer/rounding_test
testsuite_finalizer_rounding_test_CFLAGS = $(AM_CFLAGS) -frounding-math -ffp-contract=off
testsuite_finalizer_rounding_test_LDADD = testsuite/finalizer/libgpu.la -lm

LLVM_TESTS += testsuite/finalizer/small_test
testsuite_finalizer_small_test_LDADD = testsuite/finalizer/libgpu.la

LLVM_TESTS += testsuite/finalizer/vendor_test testsuite/finalizer/vendor_float_test
VENDOR_CASE = testsuite/finalizer/vendor_case.c testsuite/finalizer/vendor_case.h
testsuite_finalizer_vendor_test_SOURCES = testsuite/finalizer/vendor_test.c $(VENDOR_CASE)
testsuite_finalizer_vendor_test_LDADD = testsuite/finalizer/libgpu.la
testsuite_finalizer_vendor_float_test_SOURCES = testsuite/finalizer/vendor_float_test.c $(VENDOR_CASE)
testsuite_finalizer_vendor_float_test_LDADD = testsuite/finalizer/libgpu.la -lm

# Which defects of LLVM are still there.
dist_check_SCRIPTS += testsuite/finalizer/llvm_probes.sh
TESTS += testsuite/finalizer/llvm_probes.sh
EXTRA_DIST += testsuite/finalizer/probes
