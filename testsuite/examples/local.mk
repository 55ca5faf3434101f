# testsuite/examples: the example kernels, run by hsailrun and through the API, and compared with plain C
LLVM_TESTS += testsuite/examples/example_api_test
check_PROGRAMS += testsuite/examples/example_files
testsuite_examples_example_files_SOURCES = testsuite/examples/example_files.c \
	testsuite/examples/example_case.c testsuite/examples/example_case.h
testsuite_examples_example_api_test_SOURCES = testsuite/examples/example_api_test.c \
	testsuite/examples/example_case.c testsuite/examples/example_case.h
testsuite_examples_example_api_test_LDADD = libhsail.la libhsa-runtime64.la

EXAMPLES_TESTS = testsuite/examples/builder.sh testsuite/examples/examples_run.sh testsuite/examples/install.sh \
	testsuite/examples/passes.sh testsuite/examples/tutorial.sh
TESTS += $(EXAMPLES_TESTS)
EXTRA_DIST += $(EXAMPLES_TESTS)
