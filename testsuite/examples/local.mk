# testsuite/examples: tests of this area
