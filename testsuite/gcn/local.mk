# testsuite/gcn: tests of this area

# Decoder and printer against LLVM's disassembler.
check_PROGRAMS += testsuite/gcn/decode_test
testsuite_gcn_decode_test_SOURCES = testsuite/gcn/decode_test.c \
	testsuite/gcn/decode_fields.c testsuite/gcn/decode_fields.h \
	testsuite/gcn/decode_oracle.c testsuite/gcn/decode_oracle.h
testsuite_gcn_decode_test_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CFLAGS)
testsuite_gcn_decode_test_LDADD = libgcninst.la libsupport.la $(LLVM_LIBS)
TESTS += testsuite/gcn/decode_test
