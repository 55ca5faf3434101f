# testsuite/tree: tests of this area
