# testsuite/finalizer: tests of this area
check_PROGRAMS += testsuite/finalizer/link_tool
testsuite_finalizer_link_tool_LDADD = liblink.la libsupport.la
EXTRA_DIST += testsuite/finalizer/link.ll

check_PROGRAMS += testsuite/finalizer/finalize_tool
testsuite_finalizer_finalize_tool_LDADD = libhsa-ext-finalize64.la libsupport.la

check_PROGRAMS += testsuite/finalizer/hostile_test
testsuite_finalizer_hostile_test_LDADD = libhsa-ext-finalize64.la libhsail.la
