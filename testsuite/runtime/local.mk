# testsuite/runtime: tests of the runtime, most of them with an agent driver of their own
check_LTLIBRARIES += testsuite/runtime/driver.la
testsuite_runtime_driver_la_SOURCES = testsuite/runtime/test_driver.c testsuite/runtime/test_driver.h \
	testsuite/runtime/driver_memory.c testsuite/runtime/driver_odd.c testsuite/runtime/driver_parts.h
testsuite_runtime_driver_la_LIBADD = libpacket.la libsupport.la
testsuite_runtime_driver_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

# A tools library.
check_LTLIBRARIES += testsuite/runtime/tool.la
testsuite_runtime_tool_la_SOURCES = testsuite/runtime/tool.c testsuite/runtime/tool.h
testsuite_runtime_tool_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

RUNTIME_TEST_CPPFLAGS = $(AM_CPPFLAGS) -DTEST_DRIVER='"$(abs_top_builddir)/testsuite/runtime/.libs/driver.so"' \
	-DTEST_TOOL='"$(abs_top_builddir)/testsuite/runtime/.libs/tool.so"'
MACHINE_KERNELS = testsuite/runtime/machine_kernels.c testsuite/runtime/machine_kernels.h

# Programs that are tests by themselves.
RUNTIME_TESTS = testsuite/runtime/amd_test testsuite/runtime/callback_test \
	testsuite/runtime/cooperative_test testsuite/runtime/destroy_test testsuite/runtime/drivers_test \
	testsuite/runtime/engine_test testsuite/runtime/image_test testsuite/runtime/init_test testsuite/runtime/ipc_test \
	testsuite/runtime/lines_test testsuite/runtime/memory_test testsuite/runtime/orders_test \
	testsuite/runtime/provisional_test testsuite/runtime/queue_test testsuite/runtime/services_test \
	testsuite/runtime/signal_test testsuite/runtime/stray_test testsuite/runtime/stress_test \
	testsuite/runtime/svm_test testsuite/runtime/tools_test testsuite/runtime/units_test \
	testsuite/runtime/variables_test testsuite/runtime/vmem_test testsuite/runtime/vram_test
check_PROGRAMS += $(RUNTIME_TESTS)
TESTS += $(RUNTIME_TESTS)

# Scripts, and what they read or run.
RUNTIME_SHELL_TESTS = testsuite/runtime/exports_test.sh testsuite/runtime/headers_test.sh testsuite/runtime/object.sh \
	testsuite/runtime/statuses.sh
dist_check_SCRIPTS += $(RUNTIME_SHELL_TESTS)
TESTS += $(RUNTIME_SHELL_TESTS)
check_PROGRAMS += testsuite/runtime/executable_test testsuite/runtime/statuses_test
EXTRA_DIST += testsuite/runtime/common.h testsuite/runtime/interpose.h testsuite/runtime/object.s \
	testsuite/runtime/provoke/documented.txt testsuite/runtime/provoke/missing.awk

testsuite_runtime_amd_test_LDADD = libhsa-runtime64.la
testsuite_runtime_callback_test_SOURCES = testsuite/runtime/callback_test.c $(MACHINE_KERNELS)
testsuite_runtime_callback_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_callback_test_LDADD = libhsa-runtime64.la
testsuite_runtime_cooperative_test_SOURCES = testsuite/runtime/cooperative_test.c $(MACHINE_KERNELS)
testsuite_runtime_cooperative_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_cooperative_test_LDADD = libhsa-runtime64.la
testsuite_runtime_destroy_test_LDADD = libhsa-runtime64.la
testsuite_runtime_drivers_test_SOURCES = testsuite/runtime/drivers_test.c $(MACHINE_KERNELS)
testsuite_runtime_drivers_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_drivers_test_LDADD = libhsa-runtime64.la
testsuite_runtime_engine_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_engine_test_LDADD = libhsa-runtime64.la
testsuite_runtime_executable_test_SOURCES = testsuite/runtime/executable_test.c testsuite/runtime/object.h
testsuite_runtime_executable_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_executable_test_LDADD = libhsa-runtime64.la
testsuite_runtime_image_test_LDADD = libhsa-runtime64.la
# With runtime/init.c, whose count it sets.
testsuite_runtime_init_test_SOURCES = testsuite/runtime/init_test.c runtime/init.c
testsuite_runtime_init_test_CPPFLAGS = $(AM_CPPFLAGS)
testsuite_runtime_init_test_LDADD = libsupport.la
testsuite_runtime_ipc_test_SOURCES = testsuite/runtime/ipc_test.c $(MACHINE_KERNELS)
testsuite_runtime_ipc_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_ipc_test_LDADD = libhsa-runtime64.la
# This one and variables_test are built with the files that they test, whose functions no library exports.
testsuite_runtime_lines_test_SOURCES = testsuite/runtime/lines_test.c testsuite/tools/damage.h \
	runtime/lines.c runtime/code_object.c runtime/linkage.c runtime/metadata.c runtime/handle.c
testsuite_runtime_lines_test_CPPFLAGS = $(AM_CPPFLAGS)
testsuite_runtime_lines_test_LDADD = libsupport.la
testsuite_runtime_memory_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_memory_test_LDADD = libhsa-runtime64.la
testsuite_runtime_orders_test_LDADD = libhsa-runtime64.la
testsuite_runtime_provisional_test_SOURCES = testsuite/runtime/provisional_test.c \
	testsuite/runtime/provisional_kernel.c
testsuite_runtime_provisional_test_LDADD = libhsa-runtime64.la
testsuite_runtime_queue_test_SOURCES = testsuite/runtime/queue_test.c $(MACHINE_KERNELS)
testsuite_runtime_queue_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_queue_test_LDADD = libhsa-runtime64.la
testsuite_runtime_services_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_services_test_LDADD = libhsa-runtime64.la
testsuite_runtime_signal_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_signal_test_LDADD = libhsa-runtime64.la
# Every documented status of every function.
PROVOKE_ROWS = testsuite/runtime/provoke/provoke_core.def testsuite/runtime/provoke/provoke_finalizer.def \
	testsuite/runtime/provoke/provoke_image.def testsuite/runtime/provoke/provoke_memory.def testsuite/runtime/provoke/provoke_object.def \
	testsuite/runtime/provoke/provoke_vmem.def
testsuite_runtime_statuses_test_SOURCES = testsuite/runtime/statuses_test.c \
	testsuite/runtime/provoke/fixture.c testsuite/runtime/provoke/fixture.h $(PROVOKE_ROWS)
testsuite_runtime_statuses_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_statuses_test_LDADD = libhsa-runtime64.la libhsail.la
testsuite_runtime_stray_test_SOURCES = testsuite/runtime/stray_test.c $(MACHINE_KERNELS)
testsuite_runtime_stray_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_stray_test_LDADD = libhsa-runtime64.la
testsuite_runtime_stress_test_SOURCES = testsuite/runtime/stress_test.c $(MACHINE_KERNELS)
testsuite_runtime_stress_test_LDADD = libhsa-runtime64.la
testsuite_runtime_svm_test_LDADD = libhsa-runtime64.la
testsuite_runtime_tools_test_SOURCES = testsuite/runtime/tools_test.c $(MACHINE_KERNELS)
testsuite_runtime_tools_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_tools_test_LDADD = libhsa-runtime64.la
testsuite_runtime_units_test_SOURCES = testsuite/runtime/units_test.c $(MACHINE_KERNELS)
testsuite_runtime_units_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_units_test_LDADD = libhsa-runtime64.la
testsuite_runtime_variables_test_SOURCES = testsuite/runtime/variables_test.c testsuite/tools/damage.h \
	runtime/variables.c runtime/dwarf_unit.c runtime/lines.c runtime/code_object.c runtime/linkage.c \
	runtime/metadata.c runtime/handle.c
testsuite_runtime_variables_test_CPPFLAGS = $(AM_CPPFLAGS)
testsuite_runtime_variables_test_LDADD = libsupport.la
testsuite_runtime_vmem_test_LDADD = libhsa-runtime64.la
testsuite_runtime_vram_test_SOURCES = testsuite/runtime/vram_test.c $(MACHINE_KERNELS)
testsuite_runtime_vram_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
testsuite_runtime_vram_test_LDADD = libhsa-runtime64.la

# HSA 1.0 provisional with BRIG, which needs the finalizer.
PROVISIONAL_COMMON = testsuite/runtime/provisional_common.c testsuite/runtime/provisional_common.h
LLVM_TESTS += testsuite/runtime/provisional_program_test testsuite/runtime/provisional_finalization_test \
	testsuite/runtime/provisional_statuses_test
testsuite_runtime_provisional_statuses_test_SOURCES = testsuite/runtime/provisional_statuses_test.c \
	testsuite/runtime/provoke_1p/provoke_provisional.def $(PROVISIONAL_COMMON)
testsuite_runtime_provisional_statuses_test_LDADD = libhsail.la libhsa-runtime64.la
EXTRA_DIST += testsuite/runtime/provoke_1p/documented_1p.txt
testsuite_runtime_provisional_program_test_SOURCES = testsuite/runtime/provisional_program_test.c $(PROVISIONAL_COMMON)
testsuite_runtime_provisional_program_test_LDADD = libhsail.la libhsa-runtime64.la
testsuite_runtime_provisional_finalization_test_SOURCES = \
	testsuite/runtime/provisional_finalization_test.c $(PROVISIONAL_COMMON)
testsuite_runtime_provisional_finalization_test_LDADD = libhsail.la libhsa-runtime64.la
