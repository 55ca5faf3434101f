# testsuite/tools: tests of this area
