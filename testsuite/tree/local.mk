# testsuite/tree: checks of the tree itself: layers, headers, exports, shape, single source of each fact
TREE_TESTS = \
	testsuite/tree/layers.sh testsuite/tree/headers.sh testsuite/tree/symbols.sh \
	testsuite/tree/shape.sh testsuite/tree/format.sh testsuite/tree/tables.sh testsuite/tree/rows.sh \
	testsuite/tree/names.sh testsuite/tree/multivendor.sh testsuite/tree/progress.sh testsuite/tree/watch.sh \
	testsuite/tree/static.sh
TESTS += $(TREE_TESTS)
EXTRA_DIST += $(TREE_TESTS) testsuite/tree/files.sh

# The tests that doc/MULTIVENDOR.md names, whose results multivendor.sh reads.
testsuite/tree/multivendor.log: testsuite/runtime/drivers_test.log testsuite/runtime/memory_test.log testsuite/runtime/queue_test.log testsuite/runtime/services_test.log testsuite/runtime/signal_test.log testsuite/runtime/vram_test.log
