# testsuite/check: wrong kernels, in which the checkers find the mistake, and right ones, in which they find nothing
CHECKER_TESTS = testsuite/check/memory.sh testsuite/check/barrier.sh testsuite/check/race.sh testsuite/check/init.sh \
	testsuite/check/kernels.sh testsuite/check/lines.sh testsuite/check/suppressions.sh \
	testsuite/check/hip.sh testsuite/check/hip_corpus.sh testsuite/check/opencl.sh testsuite/check/order.sh \
	testsuite/check/init_targets.sh testsuite/check/wait.sh
TESTS += $(CHECKER_TESTS)
EXTRA_DIST += $(CHECKER_TESTS) testsuite/check/cases.sh testsuite/check/early.hip \
	testsuite/check/buffer.hip testsuite/check/flag.hip
EXTRA_DIST += testsuite/check/opencl/prelude.cl testsuite/check/opencl/list.awk testsuite/check/opencl/known.txt \
	testsuite/check/opencl/memory.cl testsuite/check/opencl/barrier.cl testsuite/check/opencl/race.cl \
	testsuite/check/opencl/init.cl testsuite/check/opencl/family.awk testsuite/check/opencl/as_hip.hip
# Dispatch packets that contradict their kernels
check_PROGRAMS += testsuite/check/launch_test
testsuite_check_launch_test_SOURCES = testsuite/check/launch_test.c
testsuite_check_launch_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/check/launch.sh
EXTRA_DIST += testsuite/check/launch.sh testsuite/check/launch.s
# Memory that was freed, images and buffers
check_PROGRAMS += testsuite/check/freed_test
testsuite_check_freed_test_SOURCES = testsuite/check/freed_test.c
testsuite_check_freed_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/check/freed.sh
EXTRA_DIST += testsuite/check/freed.sh testsuite/check/freed.s
# The ways on which a program learns of a fault
check_PROGRAMS += testsuite/check/paths_client
testsuite_check_paths_client_SOURCES = testsuite/check/paths_client.c
testsuite_check_paths_client_LDADD = libhsa-runtime64.la
TESTS += testsuite/check/paths.sh testsuite/check/paths_hip.sh
EXTRA_DIST += testsuite/check/paths.sh testsuite/check/paths_hip.sh
# Memory that HSA was not told about
check_PROGRAMS += testsuite/check/heap_test
testsuite_check_heap_test_SOURCES = testsuite/check/heap_test.c
testsuite_check_heap_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/check/heap.sh
EXTRA_DIST += testsuite/check/heap.sh
# All kernels of the finalizer's tests, and COUNT random programs of each kind, with the checkers.
.PHONY: check-checkers
check-checkers:
	HSAIL_CHECKED=$(COUNT) $(MAKE) $(AM_MAKEFLAGS) check TESTS=testsuite/check/kernels.sh
# Whole HIP programs
TESTS += testsuite/check/programs.sh
EXTRA_DIST += testsuite/check/programs.sh testsuite/check/programs.cpp testsuite/check/programs.hpp \
	testsuite/check/programs_arrays.cpp testsuite/check/programs_grid.cpp testsuite/check/programs_group.cpp \
	testsuite/check/programs_memory.cpp
