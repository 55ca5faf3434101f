# testsuite/frontend: tests of this area
check_PROGRAMS += testsuite/frontend/number_test
testsuite_frontend_number_test_LDADD = libfrontend.la
TESTS += testsuite/frontend/number_test

dist_check_SCRIPTS += testsuite/frontend/good_test.sh testsuite/frontend/bad_test.sh \
	testsuite/frontend/format_test.sh testsuite/frontend/hsailasm_test.sh
TESTS += testsuite/frontend/good_test.sh testsuite/frontend/bad_test.sh \
	testsuite/frontend/format_test.sh testsuite/frontend/hsailasm_test.sh
EXTRA_DIST += \
	testsuite/frontend/prm/calls.hsail testsuite/frontend/prm/control_flow.hsail \
	testsuite/frontend/prm/images.hsail testsuite/frontend/prm/special.hsail \
	testsuite/frontend/prm/after_1_0.hsail testsuite/frontend/prm/atomics.hsail \
	testsuite/frontend/prm/compare.hsail testsuite/frontend/prm/float.hsail \
	testsuite/frontend/prm/integer.hsail testsuite/frontend/prm/literals.hsail \
	testsuite/frontend/prm/memory_large.hsail testsuite/frontend/prm/memory_small.hsail \
	testsuite/frontend/prm/packed.hsail testsuite/frontend/prm/signals_small.hsail \
	testsuite/frontend/prm/vector_add.hsail testsuite/frontend/prm/transpose.hsail \
	testsuite/frontend/prm/module.hsail testsuite/frontend/prm/constants.hsail \
	testsuite/frontend/prm/operands.hsail testsuite/frontend/prm/directives.hsail \
	testsuite/frontend/prm/header1.hsail testsuite/frontend/prm/header2.hsail \
	testsuite/frontend/prm/header3.hsail testsuite/frontend/prm/header4.hsail \
	testsuite/frontend/prm/library.hsail testsuite/frontend/prm/library_user.hsail
EXTRA_DIST += \
	testsuite/frontend/good/arithmetic.hsail testsuite/frontend/good/base_small.hsail \
	testsuite/frontend/good/declarations.hsail testsuite/frontend/good/features_1_2.hsail \
	testsuite/frontend/good/functions.hsail testsuite/frontend/good/images.hsail \
	testsuite/frontend/good/memory.hsail testsuite/frontend/good/vendor.hsail \
	testsuite/frontend/bad/constants.hsail testsuite/frontend/bad/control_flow.hsail \
	testsuite/frontend/bad/dialect.hsail \
	testsuite/frontend/bad/empty.hsail testsuite/frontend/bad/instructions.hsail \
	testsuite/frontend/bad/lexical.hsail testsuite/frontend/bad/names.hsail \
	testsuite/frontend/bad/nested.hsail testsuite/frontend/bad/statements.hsail \
	testsuite/frontend/bad/together.hsail testsuite/frontend/bad/recovery.hsail \
	testsuite/frontend/bad/semantic.hsail testsuite/frontend/bad/prm.hsail testsuite/frontend/bad/tokens.hsail \
	testsuite/frontend/bad/undefined.hsail testsuite/frontend/bad/warnings.hsail

check_PROGRAMS += testsuite/frontend/argument_test
testsuite_frontend_argument_test_LDADD = libhsail.la
TESTS += testsuite/frontend/argument_test

check_PROGRAMS += testsuite/frontend/builder_test
testsuite_frontend_builder_test_LDADD = libhsail.la
TESTS += testsuite/frontend/builder_test

check_PROGRAMS += testsuite/frontend/builder_error_test
testsuite_frontend_builder_error_test_LDADD = libhsail.la
TESTS += testsuite/frontend/builder_error_test

check_PROGRAMS += testsuite/frontend/spill_test
testsuite_frontend_spill_test_LDADD = libhsail.la
TESTS += testsuite/frontend/spill_test

check_PROGRAMS += testsuite/frontend/thread_test
testsuite_frontend_thread_test_LDADD = libhsail.la
TESTS += testsuite/frontend/thread_test

check_PROGRAMS += testsuite/frontend/memory_test
testsuite_frontend_memory_test_LDADD = libhsail.la
EXTRA_DIST += testsuite/frontend/test_memory.h testsuite/frontend/test_emit.h testsuite/frontend/test_show.h
TESTS += testsuite/frontend/memory_test

check_PROGRAMS += testsuite/frontend/transcribe_test
testsuite_frontend_transcribe_test_SOURCES = \
	testsuite/frontend/transcribe.c testsuite/frontend/transcribe.h testsuite/frontend/transcribe_test.c
testsuite_frontend_transcribe_test_LDADD = libhsail.la libbrig.la libsupport.la
TESTS += testsuite/frontend/transcribe_test

check_PROGRAMS += testsuite/frontend/misuse_test
testsuite_frontend_misuse_test_LDADD = libhsail.la
TESTS += testsuite/frontend/misuse_test

check_PROGRAMS += testsuite/frontend/print_test
testsuite_frontend_print_test_LDADD = libhsail.la
TESTS += testsuite/frontend/print_test

check_PROGRAMS += testsuite/frontend/immediate_test
testsuite_frontend_immediate_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/frontend/immediate_test

check_PROGRAMS += testsuite/frontend/limits_test
testsuite_frontend_limits_test_LDADD = libhsail.la libsupport.la
TESTS += testsuite/frontend/limits_test

check_PROGRAMS += testsuite/frontend/encoding_test
testsuite_frontend_encoding_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/frontend/encoding_test

check_PROGRAMS += testsuite/frontend/locate_test
testsuite_frontend_locate_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/frontend/locate_test

check_PROGRAMS += testsuite/frontend/built_test
testsuite_frontend_built_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/frontend/built_test

dist_check_SCRIPTS += testsuite/frontend/peer_test.sh testsuite/frontend/grammar_peer_test.sh \
	testsuite/frontend/vendor_peer_test.sh
TESTS += testsuite/frontend/peer_test.sh testsuite/frontend/grammar_peer_test.sh \
	testsuite/frontend/vendor_peer_test.sh
EXTRA_DIST += testsuite/frontend/peer_differences.txt testsuite/frontend/probe.awk \
	testsuite/frontend/peer/statements.hsail testsuite/frontend/peer/literals.txt testsuite/frontend/peer/vendor.awk

check_PROGRAMS += testsuite/frontend/reader_test
testsuite_frontend_reader_test_LDADD = libhsail.la
TESTS += testsuite/frontend/reader_test

check_PROGRAMS += testsuite/frontend/lines_test
testsuite_frontend_lines_test_LDADD = libhsail.la
TESTS += testsuite/frontend/lines_test

check_PROGRAMS += testsuite/frontend/rewrite_test
testsuite_frontend_rewrite_test_SOURCES = testsuite/frontend/rewrite_test.c testsuite/brig/foreign.c
testsuite_frontend_rewrite_test_LDADD = libhsail.la libbrig.la libsupport.la
TESTS += testsuite/frontend/rewrite_test
