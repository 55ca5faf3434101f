# testsuite/tools: command lines, manual pages, damaged files
LLVM_TESTS += testsuite/tools/hostile_test testsuite/tools/hostile_tools_test testsuite/tools/no_llvm_test
testsuite_tools_hostile_test_SOURCES = testsuite/tools/hostile_test.c testsuite/tools/damage.h
testsuite_tools_hostile_test_LDADD = libhsail.la libhsa-ext-finalize64.la libhsa-runtime64.la
testsuite_tools_hostile_tools_test_SOURCES = testsuite/tools/hostile_tools_test.c testsuite/tools/damage.h
testsuite_tools_no_llvm_test_LDADD = libhsa-runtime64.la

TOOLS_TESTS = \
	testsuite/tools/editor.sh testsuite/tools/hsa-run-hip.sh testsuite/tools/hsa-run.sh testsuite/tools/hsailfin.sh testsuite/tools/hsailrun.sh testsuite/tools/hsainfo.sh \
	testsuite/tools/man.sh testsuite/tools/report.sh testsuite/tools/mistakes.sh
TESTS += $(TOOLS_TESTS)
EXTRA_DIST += $(TOOLS_TESTS) testsuite/tools/vector_add.co testsuite/tools/sizes.s
