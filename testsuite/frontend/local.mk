# testsuite/frontend: tests of this area
check_PROGRAMS += testsuite/frontend/number_test
testsuite_frontend_number_test_LDADD = libfrontend.la
TESTS += testsuite/frontend/number_test
