# testsuite/check: wrong kernels that the checkers find, and right ones that they do not
TESTS += testsuite/check/memory.sh testsuite/check/barrier.sh testsuite/check/race.sh
EXTRA_DIST += testsuite/check/memory.sh testsuite/check/barrier.sh testsuite/check/race.sh testsuite/check/cases.sh
