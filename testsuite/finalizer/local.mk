# testsuite/finalizer: tests of this area
