# testsuite/gcn: tests of this area
