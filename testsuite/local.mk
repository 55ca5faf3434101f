# testsuite: the conformance suite that `make check` runs; each folder adds its tests in its own local.mk.
# LLVM_TESTS are the programs that test the finalizer, or that need it or LLVM; LLVM_HELPERS are programs for these
# tests.
LLVM_TESTS =
LLVM_HELPERS =
# They come first, as some take minutes, and two processors should have work until the end.
if LLVM
check_PROGRAMS += $(LLVM_TESTS) $(LLVM_HELPERS)
TESTS += $(LLVM_TESTS)
else
TESTS += testsuite/without_llvm.sh
endif
EXTRA_DIST += testsuite/without_llvm.sh

include testsuite/support/local.mk
include testsuite/brig/local.mk
include testsuite/frontend/local.mk
include testsuite/validate/local.mk
include testsuite/fuzz/local.mk
include testsuite/hsail-model/local.mk
include testsuite/finalizer/local.mk
include testsuite/finalizer/random/local.mk
include testsuite/runtime/local.mk
include testsuite/gcn/local.mk
include testsuite/tools/local.mk
include testsuite/clients/local.mk
include testsuite/check/local.mk
include testsuite/observe/local.mk
include testsuite/examples/local.mk
include testsuite/tree/local.mk

EXTRA_DIST += testsuite/tap.h testsuite/finding.h testsuite/kept.h testsuite/modules.h testsuite/tap.sh \
	testsuite/dispatch_packet.h testsuite/float_bits.h testsuite/open_files.h testsuite/seconds.h testsuite/xorshift.h
EXTRA_DIST += testsuite/progress.awk testsuite/watch.sh testsuite/rows.awk testsuite/rows.txt

# Rows of the checklist that lack a good or a bad case.
coverage-rows:
	@LC_ALL=C $(AWK) -f $(srcdir)/testsuite/rows.awk $(srcdir)/testsuite/rows.txt \
	  $(srcdir)/testsuite/finalizer/random/rows.def \
	  `find $(srcdir)/testsuite -type f '(' -name '*.c' -o -name '*.sh' -o -name '*.hsail' -o -path '*/cases/*.txt' ')'`
.PHONY: coverage-rows

# Functions of HSA's public headers that no test names, and documented statuses that no test provokes.
EXTRA_DIST += testsuite/api.awk
coverage-api:
	@LC_ALL=C $(AWK) -f $(srcdir)/testsuite/api.awk `find $(srcdir)/include/hsa -name '*.h'` \
	  `find $(srcdir)/testsuite -type f '(' -name '*.[ch]' -o -name '*.def' -o -name '*.cpp' ')'`
	@LC_ALL=C $(AWK) -f $(srcdir)/testsuite/runtime/provoke/missing.awk \
	  $(srcdir)/testsuite/runtime/provoke/documented.txt $(srcdir)/testsuite/runtime/provoke/*.def
	@LC_ALL=C $(AWK) -f $(srcdir)/testsuite/runtime/provoke/missing.awk \
	  $(srcdir)/testsuite/runtime/provoke_1p/documented_1p.txt $(srcdir)/testsuite/runtime/provoke_1p/provoke_provisional.def | \
	  sed 's/$$/ (1.0P)/'
.PHONY: coverage-api

# Whether two builds under different circumstances install the same bytes; it takes two whole builds.
EXTRA_DIST += testsuite/reproducible.sh
check-reproducible: all
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/testsuite/reproducible.sh
.PHONY: check-reproducible
