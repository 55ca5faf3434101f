# testsuite/tools: command lines, manual pages, damaged files
TOOLS_TESTS = testsuite/tools/hsailfin.sh
TESTS += $(TOOLS_TESTS)
EXTRA_DIST += $(TOOLS_TESTS)
