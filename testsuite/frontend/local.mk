# testsuite/frontend: tests of this area
