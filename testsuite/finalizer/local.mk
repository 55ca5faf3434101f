# testsuite/finalizer: tests of this area
check_PROGRAMS += testsuite/finalizer/link_tool
testsuite_finalizer_link_tool_LDADD = liblink.la
EXTRA_DIST += testsuite/finalizer/link.ll
