# testsuite/validate: the semantic rules, from text
check_PROGRAMS += testsuite/validate/validate_test
testsuite_validate_validate_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/validate/validate_test
EXTRA_DIST += testsuite/validate/cases.txt
