# testsuite/hsail-model: an interpreter of HSAIL, written from the manual; it says what tests of the finalizer expect
check_LTLIBRARIES += testsuite/hsail-model/libmodel.la
testsuite_hsail_model_libmodel_la_SOURCES = \
	testsuite/hsail-model/model_access.c testsuite/hsail-model/alu.c testsuite/hsail-model/alu.h \
	testsuite/hsail-model/bits.c testsuite/hsail-model/model_control.c testsuite/hsail-model/float.c \
	testsuite/hsail-model/float.h testsuite/hsail-model/float_arith.c testsuite/hsail-model/model_group.c \
	testsuite/hsail-model/integer.c testsuite/hsail-model/model_parts.h testsuite/hsail-model/model_memory.c \
	testsuite/hsail-model/model.c testsuite/hsail-model/model.h testsuite/hsail-model/module.c \
	testsuite/hsail-model/operand.c testsuite/hsail-model/special.c testsuite/hsail-model/step.c \
	testsuite/hsail-model/value.h
