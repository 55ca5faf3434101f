# testsuite/validate: the semantic rules, from text
check_PROGRAMS += testsuite/validate/validate_test
testsuite_validate_validate_test_SOURCES = testsuite/validate/validate_test.c testsuite/validate/verdict.c \
	testsuite/validate/verdict.h
testsuite_validate_validate_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/validate/validate_test
EXTRA_DIST += testsuite/validate/cases/module.txt testsuite/validate/cases/names.txt \
	testsuite/validate/cases/variables.txt testsuite/validate/cases/calls.txt \
	testsuite/validate/cases/operands.txt testsuite/validate/cases/arithmetic.txt \
	testsuite/validate/cases/memory.txt testsuite/validate/cases/images.txt \
	testsuite/validate/cases/control_flow.txt testsuite/validate/cases/special.txt \
	testsuite/validate/cases/directives.txt testsuite/validate/cases/profiles.txt \
	testsuite/validate/cases/constants.txt \
	testsuite/validate/cases/lint.txt testsuite/validate/cases/vendor.txt

check_PROGRAMS += testsuite/validate/generate_test
testsuite_validate_generate_test_SOURCES = testsuite/validate/generate_test.c testsuite/validate/generate.h \
	testsuite/validate/generate_modifier.c testsuite/validate/generate_frame.c \
	testsuite/validate/generate_operand.c testsuite/validate/syntax.c testsuite/validate/syntax.h \
	testsuite/validate/syntax.def testsuite/validate/verdict.c testsuite/validate/verdict.h \
	testsuite/validate/other_assembler.c testsuite/validate/other_assembler.h
testsuite_validate_generate_test_LDADD = libbrigtest.la libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/validate/generate_test

check_PROGRAMS += testsuite/validate/binary_test testsuite/validate/image_test
testsuite_validate_binary_test_LDADD = libfrontend.la libbrig.la libsupport.la
testsuite_validate_image_test_SOURCES = testsuite/validate/image_test.c testsuite/validate/verdict.c \
	testsuite/validate/verdict.h
testsuite_validate_image_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/validate/binary_test testsuite/validate/image_test

check_PROGRAMS += testsuite/validate/grammar_test
testsuite_validate_grammar_test_SOURCES = testsuite/validate/grammar_test.c testsuite/validate/generate.h \
	testsuite/validate/generate_modifier.c testsuite/validate/syntax.c testsuite/validate/syntax_text.c \
	testsuite/validate/syntax.h testsuite/validate/syntax.def testsuite/validate/verdict.c \
	testsuite/validate/verdict.h testsuite/validate/other_assembler.c testsuite/validate/other_assembler.h
testsuite_validate_grammar_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/validate/grammar_test

check_PROGRAMS += testsuite/validate/syntax_test
testsuite_validate_syntax_test_SOURCES = testsuite/validate/syntax_test.c testsuite/validate/syntax.c \
	testsuite/validate/syntax_text.c testsuite/validate/syntax_wrong.c testsuite/validate/syntax.h \
	testsuite/validate/syntax.def testsuite/validate/verdict.c testsuite/validate/verdict.h \
	testsuite/validate/other_assembler.c testsuite/validate/other_assembler.h
testsuite_validate_syntax_test_LDADD = libfrontend.la libbrig.la libsupport.la
TESTS += testsuite/validate/syntax_test
