# testsuite/fuzz: the fuzz targets, their mutators, and what they found
FUZZ_SOURCES = \
	testsuite/fuzz/fuzz_target.h testsuite/fuzz/session.c \
	testsuite/fuzz/text.c testsuite/fuzz/brig.c testsuite/fuzz/disassemble.c testsuite/fuzz/check_brig.c \
	testsuite/fuzz/roundtrip.c testsuite/fuzz/lay_out.c testsuite/fuzz/read_entries.c \
	testsuite/fuzz/mutate.h testsuite/fuzz/mutate_text.c testsuite/fuzz/mutate_brig.c \
	testsuite/fuzz/mutate_inst.c testsuite/fuzz/mutate_p.h \
	testsuite/fuzz/loose.c testsuite/fuzz/loose.h
FUZZ_LIBS = libbrigtest.la libhsailapi.la libfrontend.la libbrig.la libsupport.la

check_LTLIBRARIES += libfuzztargets.la
libfuzztargets_la_SOURCES = $(FUZZ_SOURCES)

check_PROGRAMS += testsuite/fuzz/replay_test
testsuite_fuzz_replay_test_SOURCES = testsuite/fuzz/replay_test.c testsuite/tools/damage.h
testsuite_fuzz_replay_test_LDADD = libfuzztargets.la $(FUZZ_LIBS)
TESTS += testsuite/fuzz/replay_test
check_PROGRAMS += testsuite/fuzz/minimize
testsuite_fuzz_minimize_LDADD = libfuzztargets.la $(FUZZ_LIBS)
EXTRA_DIST += testsuite/fuzz/corpus testsuite/fuzz/run.sh testsuite/fuzz/libfuzzer.c testsuite/fuzz/fuzz_time.h

# Machine code on the software GPU. As a program of its own it runs for as long as it is told.
check_PROGRAMS += testsuite/fuzz/machine_test
testsuite_fuzz_machine_test_SOURCES = testsuite/fuzz/machine_test.c \
	testsuite/gcn/decode_fields.c testsuite/gcn/decode_fields.h
testsuite_fuzz_machine_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/fuzz/machine_test

# Code objects, damaged, loaded and dispatched; runs as long as it is told, too.
LLVM_TESTS += testsuite/fuzz/object_test
testsuite_fuzz_object_test_LDADD = libhsa-ext-finalize64.la libhsail.la libhsa-runtime64.la

if FUZZERS
EXTRA_PROGRAMS += testsuite/fuzz/fuzz
testsuite_fuzz_fuzz_SOURCES = testsuite/fuzz/libfuzzer.c
testsuite_fuzz_fuzz_LDADD = libfuzztargets.la $(FUZZ_LIBS)
testsuite_fuzz_fuzz_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

# Seeds for libFuzzer, then the program: make fuzz-build; testsuite/fuzz/run.sh runs it.
fuzz-seeds: hsailasm
	@rm -rf testsuite/fuzz/seeds && mkdir -p testsuite/fuzz/seeds/text testsuite/fuzz/seeds/brig
	@for folder in testsuite/frontend/good testsuite/frontend/prm examples testsuite/fuzz/corpus/text; do \
	  for file in $(srcdir)/$$folder/*.hsail; do \
	    name=`basename $$folder`_`basename $$file .hsail`; \
	    cp $$file testsuite/fuzz/seeds/text/$$name.hsail; \
	    ./hsailasm -o testsuite/fuzz/seeds/brig/$$name.brig $$file 2>/dev/null || :; done; done
	@cp $(srcdir)/testsuite/brig/data/*.brig $(srcdir)/testsuite/fuzz/corpus/brig/*.brig testsuite/fuzz/seeds/brig
fuzz-build: testsuite/fuzz/fuzz fuzz-seeds
endif
clean-local:
	rm -rf testsuite/fuzz/seeds
.PHONY: fuzz-seeds fuzz-build
