# testsuite/brig: tables, builder, reader and structural checks
BRIG_TESTS = testsuite/brig/tables_test testsuite/brig/builder_test testsuite/brig/reader_test \
	testsuite/brig/equivalent_test testsuite/brig/limits_test
check_PROGRAMS += $(BRIG_TESTS)
TESTS += $(BRIG_TESTS)
check_PROGRAMS += testsuite/brig/open_tool
testsuite_brig_open_tool_LDADD = $(BRIG_TEST_LIBS)
EXTRA_DIST += testsuite/brig/hsailasm.sh testsuite/brig/public_header.sh
TESTS += testsuite/brig/hsailasm.sh testsuite/brig/public_header.sh
BRIG_TEST_LIBS = libbrig.la libsupport.la

testsuite_brig_tables_test_LDADD = $(BRIG_TEST_LIBS)
testsuite_brig_builder_test_SOURCES = testsuite/brig/builder_test.c testsuite/brig/sample.c testsuite/brig/sample.h
testsuite_brig_builder_test_LDADD = $(BRIG_TEST_LIBS)
testsuite_brig_reader_test_SOURCES = testsuite/brig/reader_test.c testsuite/brig/sample.c testsuite/brig/sample.h
testsuite_brig_limits_test_LDADD = $(BRIG_TEST_LIBS)
testsuite_brig_reader_test_LDADD = $(BRIG_TEST_LIBS)
check_LTLIBRARIES += libbrigtest.la
libbrigtest_la_SOURCES = testsuite/brig/equivalent.c testsuite/brig/equivalent.h testsuite/brig/walk.c \
	testsuite/brig/walk.h
testsuite_brig_equivalent_test_SOURCES = testsuite/brig/equivalent_test.c testsuite/brig/sample.c testsuite/brig/sample.h
testsuite_brig_equivalent_test_LDADD = libbrigtest.la libfrontend.la $(BRIG_TEST_LIBS)
check_PROGRAMS += testsuite/brig/foreign_test
TESTS += testsuite/brig/foreign_test
testsuite_brig_foreign_test_SOURCES = testsuite/brig/foreign_test.c testsuite/brig/foreign.c testsuite/brig/foreign.h \
	testsuite/brig/sample.c testsuite/brig/sample.h
testsuite_brig_foreign_test_LDADD = libbrigtest.la libhsail.la $(BRIG_TEST_LIBS)
EXTRA_DIST += testsuite/brig/data/wide.hsail testsuite/brig/data/wide.brig
