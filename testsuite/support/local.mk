# testsuite/support: unit tests of support/
check_PROGRAMS += testsuite/support/arena_test
testsuite_support_arena_test_LDADD = libsupport.la
TESTS += testsuite/support/arena_test
check_PROGRAMS += testsuite/support/cli_test
testsuite_support_cli_test_LDADD = libsupport.la
TESTS += testsuite/support/cli_test
check_PROGRAMS += testsuite/support/diag_test
testsuite_support_diag_test_LDADD = libsupport.la
TESTS += testsuite/support/diag_test
check_PROGRAMS += testsuite/support/table_test
testsuite_support_table_test_LDADD = libsupport.la
TESTS += testsuite/support/table_test
check_PROGRAMS += testsuite/support/amdgpu_test
testsuite_support_amdgpu_test_LDADD = libsupport.la
dist_check_SCRIPTS += testsuite/support/amdgpu.sh
TESTS += testsuite/support/amdgpu_test testsuite/support/amdgpu.sh
