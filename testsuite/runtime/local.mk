# testsuite/runtime: tests of this area
