# testsuite/runtime: tests of the runtime, most of them with an agent driver of their own
check_LTLIBRARIES += testsuite/runtime/driver.la
testsuite_runtime_driver_la_SOURCES = testsuite/runtime/test_driver.c testsuite/runtime/test_driver.h \
	testsuite/runtime/driver_memory.c testsuite/runtime/driver_odd.c testsuite/runtime/driver_parts.h
testsuite_runtime_driver_la_LIBADD = libpacket.la libsupport.la
testsuite_runtime_driver_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

RUNTIME_TEST_CPPFLAGS = $(AM_CPPFLAGS) -DTEST_DRIVER='"$(abs_top_builddir)/testsuite/runtime/.libs/driver.so"'
EXTRA_DIST += testsuite/runtime/common.h testsuite/runtime/interpose.h

check_PROGRAMS += testsuite/runtime/queue_test
testsuite_runtime_queue_test_SOURCES = testsuite/runtime/queue_test.c testsuite/runtime/machine_kernels.c \
	testsuite/runtime/machine_kernels.h
testsuite_runtime_queue_test_LDADD = libhsa-runtime64.la
testsuite_runtime_queue_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/queue_test

# Callbacks that end the thing that calls them.
check_PROGRAMS += testsuite/runtime/callback_test
testsuite_runtime_callback_test_SOURCES = testsuite/runtime/callback_test.c testsuite/runtime/machine_kernels.c \
	testsuite/runtime/machine_kernels.h
testsuite_runtime_callback_test_LDADD = libhsa-runtime64.la
testsuite_runtime_callback_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/callback_test

check_PROGRAMS += testsuite/runtime/destroy_test
testsuite_runtime_destroy_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/runtime/destroy_test
check_PROGRAMS += testsuite/runtime/signal_test
testsuite_runtime_signal_test_LDADD = libhsa-runtime64.la
testsuite_runtime_signal_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/signal_test

dist_check_SCRIPTS += testsuite/runtime/headers_test.sh
TESTS += testsuite/runtime/headers_test.sh

dist_check_SCRIPTS += testsuite/runtime/exports_test.sh
TESTS += testsuite/runtime/exports_test.sh

check_PROGRAMS += testsuite/runtime/executable_test
testsuite_runtime_executable_test_SOURCES = testsuite/runtime/executable_test.c testsuite/runtime/object.h
testsuite_runtime_executable_test_LDADD = libhsa-runtime64.la
testsuite_runtime_executable_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
dist_check_SCRIPTS += testsuite/runtime/object.sh
TESTS += testsuite/runtime/object.sh
EXTRA_DIST += testsuite/runtime/object.s

check_PROGRAMS += testsuite/runtime/memory_test
testsuite_runtime_memory_test_LDADD = libhsa-runtime64.la
testsuite_runtime_memory_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/memory_test

# Memory that belongs to its driver.
check_PROGRAMS += testsuite/runtime/vram_test
testsuite_runtime_vram_test_SOURCES = testsuite/runtime/vram_test.c testsuite/runtime/machine_kernels.c \
	testsuite/runtime/machine_kernels.h
testsuite_runtime_vram_test_LDADD = libhsa-runtime64.la
testsuite_runtime_vram_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/vram_test
# What the core and drivers say to each other.
check_PROGRAMS += testsuite/runtime/drivers_test
testsuite_runtime_drivers_test_SOURCES = testsuite/runtime/drivers_test.c testsuite/runtime/machine_kernels.c \
	testsuite/runtime/machine_kernels.h
testsuite_runtime_drivers_test_LDADD = libhsa-runtime64.la
testsuite_runtime_drivers_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/drivers_test
check_PROGRAMS += testsuite/runtime/svm_test testsuite/runtime/image_test
testsuite_runtime_svm_test_LDADD = libhsa-runtime64.la
testsuite_runtime_image_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/runtime/svm_test testsuite/runtime/image_test

check_PROGRAMS += testsuite/runtime/services_test
testsuite_runtime_services_test_LDADD = libhsa-runtime64.la
testsuite_runtime_services_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/services_test

check_PROGRAMS += testsuite/runtime/orders_test testsuite/runtime/amd_test
testsuite_runtime_orders_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/runtime/orders_test testsuite/runtime/amd_test
testsuite_runtime_amd_test_LDADD = libhsa-runtime64.la

# Tools libraries.
check_LTLIBRARIES += testsuite/runtime/tool.la
testsuite_runtime_tool_la_SOURCES = testsuite/runtime/tool.c testsuite/runtime/tool.h
testsuite_runtime_tool_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere
check_PROGRAMS += testsuite/runtime/tools_test
testsuite_runtime_tools_test_SOURCES = testsuite/runtime/tools_test.c testsuite/runtime/machine_kernels.c testsuite/runtime/machine_kernels.h
testsuite_runtime_tools_test_LDADD = libhsa-runtime64.la
testsuite_runtime_tools_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS) \
	-DTEST_TOOL='"$(abs_top_builddir)/testsuite/runtime/.libs/tool.so"'
TESTS += testsuite/runtime/tools_test
# Built with the files that it tests, whose functions no library exports.
check_PROGRAMS += testsuite/runtime/lines_test
testsuite_runtime_lines_test_SOURCES = testsuite/runtime/lines_test.c testsuite/tools/damage.h runtime/lines.c \
	runtime/code_object.c runtime/linkage.c runtime/metadata.c runtime/handle.c
testsuite_runtime_lines_test_LDADD = libsupport.la
testsuite_runtime_lines_test_CPPFLAGS = $(AM_CPPFLAGS)
TESTS += testsuite/runtime/lines_test

check_PROGRAMS += testsuite/runtime/variables_test
testsuite_runtime_variables_test_SOURCES = testsuite/runtime/variables_test.c testsuite/tools/damage.h runtime/variables.c \
	runtime/dwarf_unit.c runtime/lines.c runtime/code_object.c runtime/linkage.c runtime/metadata.c \
	runtime/handle.c
testsuite_runtime_variables_test_CPPFLAGS = $(AM_CPPFLAGS)
testsuite_runtime_variables_test_LDADD = libsupport.la
TESTS += testsuite/runtime/variables_test

# Cooperative queues.
check_PROGRAMS += testsuite/runtime/cooperative_test
testsuite_runtime_cooperative_test_SOURCES = testsuite/runtime/cooperative_test.c testsuite/runtime/machine_kernels.c \
	testsuite/runtime/machine_kernels.h
testsuite_runtime_cooperative_test_LDADD = libhsa-runtime64.la
testsuite_runtime_cooperative_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/cooperative_test

# Compute units and priorities of queues.
check_PROGRAMS += testsuite/runtime/units_test
testsuite_runtime_units_test_SOURCES = testsuite/runtime/units_test.c testsuite/runtime/machine_kernels.c testsuite/runtime/machine_kernels.h
testsuite_runtime_units_test_LDADD = libhsa-runtime64.la
testsuite_runtime_units_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/units_test

# Signals that processes share.
check_PROGRAMS += testsuite/runtime/ipc_test
testsuite_runtime_ipc_test_SOURCES = testsuite/runtime/ipc_test.c testsuite/runtime/machine_kernels.c testsuite/runtime/machine_kernels.h
testsuite_runtime_ipc_test_LDADD = libhsa-runtime64.la
testsuite_runtime_ipc_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/ipc_test

check_PROGRAMS += testsuite/runtime/engine_test
testsuite_runtime_engine_test_LDADD = libhsa-runtime64.la
testsuite_runtime_engine_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
TESTS += testsuite/runtime/engine_test

# Every documented status of every function.
check_PROGRAMS += testsuite/runtime/statuses_test
testsuite_runtime_statuses_test_SOURCES = testsuite/runtime/statuses_test.c testsuite/runtime/provoke/fixture.c \
	testsuite/runtime/provoke/fixture.h $(PROVOKE_ROWS)
PROVOKE_ROWS = testsuite/runtime/provoke/provoke_core.def testsuite/runtime/provoke/provoke_finalizer.def \
	testsuite/runtime/provoke/provoke_image.def testsuite/runtime/provoke/provoke_memory.def testsuite/runtime/provoke/provoke_object.def \
	testsuite/runtime/provoke/provoke_vmem.def
testsuite_runtime_statuses_test_LDADD = libhsa-runtime64.la libhsail.la
testsuite_runtime_statuses_test_CPPFLAGS = $(RUNTIME_TEST_CPPFLAGS)
dist_check_SCRIPTS += testsuite/runtime/statuses.sh
TESTS += testsuite/runtime/statuses.sh
EXTRA_DIST += testsuite/runtime/provoke/documented.txt testsuite/runtime/provoke/missing.awk

check_PROGRAMS += testsuite/runtime/vmem_test
testsuite_runtime_vmem_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/runtime/vmem_test

# HSA 1.0 provisional.
check_PROGRAMS += testsuite/runtime/provisional_test
testsuite_runtime_provisional_test_SOURCES = testsuite/runtime/provisional_test.c testsuite/runtime/provisional_kernel.c
testsuite_runtime_provisional_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/runtime/provisional_test

check_PROGRAMS += testsuite/runtime/stress_test
testsuite_runtime_stress_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/runtime/stress_test
