# testsuite: the conformance suite that `make check` runs; each area adds its tests in its own local.mk.
include testsuite/support/local.mk
include testsuite/brig/local.mk
include testsuite/frontend/local.mk
include testsuite/validate/local.mk
include testsuite/finalizer/local.mk
include testsuite/runtime/local.mk
include testsuite/gcn/local.mk
include testsuite/tools/local.mk
include testsuite/examples/local.mk
include testsuite/tree/local.mk

EXTRA_DIST += testsuite/tap.h testsuite/tap.sh testsuite/progress.awk
