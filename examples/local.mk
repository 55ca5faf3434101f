# examples: HSAIL kernels, and programs that users can copy
HSAIL_EXAMPLES = \
	examples/vector_copy.hsail examples/vector_add.hsail examples/transpose.hsail \
	examples/histogram.hsail examples/reduce.hsail examples/mandelbrot.hsail
examplesdir = $(docdir)/examples
dist_examples_DATA = $(HSAIL_EXAMPLES)

# The kernels of doc/TUTORIAL.md.
tutorialdir = $(docdir)/tutorial
dist_tutorial_DATA = doc/tutorial/naive.hsail doc/tutorial/tiled.hsail doc/tutorial/blocked.hsail doc/tutorial/square.hsail

noinst_PROGRAMS += examples/dispatch
examples_dispatch_LDADD = libhsail.la libhsa-runtime64.la
dist_examples_DATA += examples/dispatch.c

noinst_PROGRAMS += examples/builder
examples_builder_LDADD = libhsail.la
dist_examples_DATA += examples/builder.c

noinst_PROGRAMS += examples/callgraph
examples_callgraph_LDADD = libhsail.la
dist_examples_DATA += examples/callgraph.c

noinst_PROGRAMS += examples/count_stores
examples_count_stores_LDADD = libhsail.la
dist_examples_DATA += examples/count_stores.c

noinst_PROGRAMS += examples/builder_registers
examples_builder_registers_LDADD = libhsail.la
dist_examples_DATA += examples/builder_registers.c

# An agent driver, and a program that uses its agent.
dist_examples_DATA += examples/driver.c examples/driver_client.c
