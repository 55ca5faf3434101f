# testsuite/brig: tests of this area
