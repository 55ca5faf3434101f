# testsuite/check: wrong kernels that the checkers find, and right ones that they do not
CHECKER_TESTS = testsuite/check/memory.sh testsuite/check/barrier.sh testsuite/check/race.sh testsuite/check/init.sh \
	testsuite/check/kernels.sh testsuite/check/lines.sh testsuite/check/suppressions.sh \
	testsuite/check/early.sh
TESTS += $(CHECKER_TESTS)
EXTRA_DIST += $(CHECKER_TESTS) testsuite/check/cases.sh testsuite/check/early.hip
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
