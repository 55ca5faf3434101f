# testsuite/observe: what the software GPU counts and shows of kernels
TESTS += testsuite/observe/count.sh testsuite/observe/registers.sh testsuite/observe/trace.sh testsuite/observe/break.sh \
	testsuite/observe/variables.sh testsuite/observe/json.sh
EXTRA_DIST += testsuite/observe/json.sh testsuite/observe/variables.sh testsuite/observe/break.sh testsuite/observe/trace.sh testsuite/observe/count.sh testsuite/observe/counts.s testsuite/observe/assemble.sh \
	testsuite/observe/registers.sh testsuite/observe/registers.s.in
