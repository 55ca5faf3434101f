# testsuite/validate: the semantic rules, from text
check_PROGRAMS += testsuite/validate/validate_test
testsuite_validate_validate_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/validate/validate_test
EXTRA_DIST += testsuite/validate/cases.txt

check_PROGRAMS += testsuite/validate/generate_test
testsuite_validate_generate_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/validate/generate_test
