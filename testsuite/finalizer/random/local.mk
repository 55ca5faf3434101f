# testsuite/finalizer/random: random programs, judged by the model of HSAIL
LLVM_TESTS += testsuite/finalizer/random/random_test
testsuite_finalizer_random_random_test_SOURCES = \
	testsuite/finalizer/random/known.def testsuite/finalizer/random/program_flow.c \
	testsuite/finalizer/random/judge.c testsuite/finalizer/random/program_memory.c \
	testsuite/finalizer/random/numbers.c testsuite/finalizer/random/random_program.c \
	testsuite/finalizer/random/random_program.h \
	testsuite/finalizer/random/random.h testsuite/finalizer/random/random_test.c \
	testsuite/finalizer/random/reduce.c testsuite/finalizer/random/shapes.c testsuite/finalizer/random/shapes.def \
	testsuite/finalizer/random/statement.c \
	testsuite/validate/syntax.c testsuite/validate/syntax.h testsuite/validate/syntax.def \
	testsuite/validate/syntax_text.c
testsuite_finalizer_random_random_test_LDADD = testsuite/hsail-model/libmodel.la testsuite/finalizer/libgpu.la
# Many more random programs. A file has how far a run came, and a later run with the same seed goes on there.
.PHONY: check-random
COUNT = 2000
SEED = 1
check-random: testsuite/finalizer/random/random_test$(EXEEXT) hsail-finalize-worker$(EXEEXT)
	. ./testsuite/env.sh && srcdir='$(srcdir)' RANDOM_PROGRAMS=$(COUNT) RANDOM_SEED=$(SEED) \
		RANDOM_STATE=testsuite/finalizer/random/state.$(SEED) testsuite/finalizer/random/random_test
CLEANFILES += testsuite/finalizer/random/state.*
dist_check_SCRIPTS += testsuite/finalizer/random/findings_test.sh
TESTS += testsuite/finalizer/random/findings_test.sh

LLVM_TESTS += testsuite/finalizer/random/execute_test
testsuite_finalizer_random_execute_test_SOURCES = \
	testsuite/finalizer/random/execute.c testsuite/finalizer/random/execute.h \
	testsuite/finalizer/random/execute_control.c \
	testsuite/finalizer/random/execute_other.c testsuite/finalizer/random/execute_test.c \
	testsuite/finalizer/random/execute_types.c testsuite/finalizer/random/execute_types.h \
	testsuite/finalizer/random/judge.c testsuite/finalizer/random/known.def testsuite/finalizer/random/numbers.c \
	testsuite/finalizer/random/random.h testsuite/finalizer/random/rows.def \
	testsuite/finalizer/random/statement.c \
	testsuite/validate/syntax.c testsuite/validate/syntax.h testsuite/validate/syntax.def \
	testsuite/validate/syntax_text.c
testsuite_finalizer_random_execute_test_LDADD = testsuite/hsail-model/libmodel.la testsuite/finalizer/libgpu.la
EXTRA_DIST += testsuite/finalizer/findings

LLVM_TESTS += testsuite/finalizer/random/virtual_test
testsuite_finalizer_random_virtual_test_SOURCES = \
	testsuite/finalizer/random/known.def testsuite/finalizer/random/program_flow.c testsuite/finalizer/random/judge.c \
	testsuite/finalizer/random/program_memory.c testsuite/finalizer/random/numbers.c \
	testsuite/finalizer/random/random_program.c \
	testsuite/finalizer/random/random_program.h testsuite/finalizer/random/random.h \
	testsuite/finalizer/random/shapes.c testsuite/finalizer/random/shapes.def \
	testsuite/finalizer/random/statement.c testsuite/finalizer/random/virtual_test.c \
	testsuite/frontend/transcribe.c testsuite/frontend/transcribe.h \
	testsuite/validate/syntax.c testsuite/validate/syntax.h testsuite/validate/syntax.def \
	testsuite/validate/syntax_text.c
testsuite_finalizer_random_virtual_test_LDADD = testsuite/hsail-model/libmodel.la testsuite/finalizer/libgpu.la \
	libbrig.la libsupport.la
