# testsuite/gcn: tests of this area

# Decoder and printer, compared with LLVM's disassembler.
LLVM_TESTS += testsuite/gcn/decode_test
testsuite_gcn_decode_test_SOURCES = testsuite/gcn/decode_test.c \
	testsuite/gcn/decode_fields.c testsuite/gcn/decode_fields.h \
	testsuite/gcn/decode_oracle.c testsuite/gcn/decode_oracle.h
testsuite_gcn_decode_test_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CFLAGS)
testsuite_gcn_decode_test_LDADD = libgcninst.la libsupport.la $(LLVM_LIBS)

# Scalar operations and memory, compared with models.
GCN_EXEC_TESTS = testsuite/gcn/exec_salu_test testsuite/gcn/exec_mem_test testsuite/gcn/exec_atomic_test \
	testsuite/gcn/exec_smem_test testsuite/gcn/exec_code_test testsuite/gcn/exec_pixel_test testsuite/gcn/packed_test
check_PROGRAMS += $(GCN_EXEC_TESTS)
TESTS += $(GCN_EXEC_TESTS)
testsuite_gcn_exec_salu_test_SOURCES = testsuite/gcn/exec_salu_test.c testsuite/gcn/exec_harness.h \
	testsuite/gcn/each_engine.h
testsuite_gcn_exec_salu_test_LDADD = $(GCN_LIBS)
testsuite_gcn_exec_mem_test_SOURCES = testsuite/gcn/exec_mem_test.c testsuite/gcn/exec_harness.h
testsuite_gcn_exec_mem_test_LDADD = $(GCN_LIBS)
testsuite_gcn_exec_atomic_test_SOURCES = testsuite/gcn/exec_atomic_test.c testsuite/gcn/exec_harness.h
testsuite_gcn_exec_atomic_test_LDADD = $(GCN_LIBS)
testsuite_gcn_exec_smem_test_SOURCES = testsuite/gcn/exec_smem_test.c testsuite/gcn/exec_harness.h
testsuite_gcn_exec_smem_test_LDADD = $(GCN_LIBS)
testsuite_gcn_exec_code_test_SOURCES = testsuite/gcn/exec_code_test.c testsuite/gcn/exec_harness.h
testsuite_gcn_exec_code_test_LDADD = $(GCN_LIBS)
testsuite_gcn_exec_pixel_test_SOURCES = testsuite/gcn/exec_pixel_test.c
testsuite_gcn_exec_pixel_test_LDADD = $(GCN_LIBS) -lm
testsuite_gcn_packed_test_SOURCES = testsuite/gcn/packed_test.c testsuite/gcn/wave_bench.h
testsuite_gcn_packed_test_LDADD = $(GCN_LIBS)



# Matrices.
check_PROGRAMS += testsuite/gcn/matrix_test
testsuite_gcn_matrix_test_SOURCES = testsuite/gcn/matrix_test.c testsuite/gcn/wave_bench.h
testsuite_gcn_matrix_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/matrix_test testsuite/gcn/matrix.sh testsuite/gcn/builtins.sh
EXTRA_DIST += testsuite/gcn/matrix.sh testsuite/gcn/builtins.sh

# Accumulation registers as data of memory operations.
check_PROGRAMS += testsuite/gcn/accumulation_test
testsuite_gcn_accumulation_test_SOURCES = testsuite/gcn/accumulation_test.c testsuite/gcn/wave_bench.h \
	testsuite/gcn/decode_fields.c testsuite/gcn/decode_fields.h
testsuite_gcn_accumulation_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/accumulation_test

# The driver, through the component interface.
check_PROGRAMS += testsuite/gcn/driver_test
testsuite_gcn_driver_test_SOURCES = testsuite/gcn/driver_test.c testsuite/gcn/driver_core.c testsuite/gcn/driver_core.h
testsuite_gcn_driver_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/driver_test

# Turns of waves, and queues that are destroyed while a kernel runs.
check_PROGRAMS += testsuite/gcn/fair_test
testsuite_gcn_fair_test_SOURCES = testsuite/gcn/fair_test.c testsuite/gcn/wave_bench.h \
	testsuite/gcn/driver_core.c testsuite/gcn/driver_core.h
testsuite_gcn_fair_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/fair_test

# Signals of the process, and faults of kernels.
check_PROGRAMS += testsuite/gcn/signal_test
testsuite_gcn_signal_test_SOURCES = testsuite/gcn/signal_test.c testsuite/gcn/driver_core.c testsuite/gcn/driver_core.h
testsuite_gcn_signal_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/signal_test

# Vector operations in all encodings, operand forms and modes, compared with a model of the published pseudo-code.
check_PROGRAMS += testsuite/gcn/vector_test
testsuite_gcn_vector_test_SOURCES = testsuite/gcn/vector_test.c testsuite/gcn/vector_values.c testsuite/gcn/vector_values.h \
	testsuite/gcn/decode_fields.c testsuite/gcn/decode_fields.h \
	testsuite/gcn/valu_model.c testsuite/gcn/valu_model.h testsuite/gcn/valu_model_float.c \
	testsuite/gcn/valu_model_half.c testsuite/gcn/valu_model_integer.c
testsuite_gcn_vector_test_CFLAGS = $(AM_CFLAGS) -frounding-math -ffp-contract=off
testsuite_gcn_vector_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/vector_test

# Operand forms and sequences.
check_PROGRAMS += testsuite/gcn/forms_test
TESTS += testsuite/gcn/forms_test
testsuite_gcn_forms_test_SOURCES = testsuite/gcn/forms_test.c testsuite/gcn/wave_bench.h
testsuite_gcn_forms_test_LDADD = $(GCN_LIBS)

# Vector instructions that a wave skips.
check_PROGRAMS += testsuite/gcn/skip_test
TESTS += testsuite/gcn/skip_test
testsuite_gcn_skip_test_SOURCES = testsuite/gcn/skip_test.c testsuite/gcn/wave_bench.h \
	testsuite/gcn/decode_fields.c testsuite/gcn/decode_fields.h
testsuite_gcn_skip_test_LDADD = $(GCN_LIBS)

# What no compiler makes for kernels.
check_PROGRAMS += testsuite/gcn/rare_test
TESTS += testsuite/gcn/rare_test
testsuite_gcn_rare_test_SOURCES = testsuite/gcn/rare_test.c testsuite/gcn/wave_bench.h
testsuite_gcn_rare_test_LDADD = $(GCN_LIBS) -lm

# Handlers for all that LLVM emits.
check_PROGRAMS += testsuite/gcn/coverage_test
testsuite_gcn_coverage_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/coverage_test
EXTRA_DIST += testsuite/gcn/emitted_ops.txt

# Vector operations that belong together.
check_PROGRAMS += testsuite/gcn/sequence_test
testsuite_gcn_sequence_test_SOURCES = testsuite/gcn/sequence_test.c \
	testsuite/gcn/vector_values.c testsuite/gcn/vector_values.h \
	testsuite/gcn/decode_fields.c testsuite/gcn/decode_fields.h \
	testsuite/gcn/valu_model.c testsuite/gcn/valu_model.h testsuite/gcn/valu_model_float.c \
	testsuite/gcn/valu_model_half.c testsuite/gcn/valu_model_integer.c
testsuite_gcn_sequence_test_CFLAGS = $(AM_CFLAGS) -frounding-math -ffp-contract=off
testsuite_gcn_sequence_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/sequence_test

# Exceptions of vector operations against the host's flags.
check_PROGRAMS += testsuite/gcn/exact_test
testsuite_gcn_exact_test_SOURCES = testsuite/gcn/exact_test.c testsuite/gcn/exec_harness.h
testsuite_gcn_exact_test_CFLAGS = $(AM_CFLAGS) -frounding-math -ftrapping-math -ffp-contract=off
testsuite_gcn_exact_test_LDADD = $(GCN_LIBS) -lm
TESTS += testsuite/gcn/exact_test

# Exponential function, logarithm, sine and cosine against the C library.
check_PROGRAMS += testsuite/gcn/math_test
testsuite_gcn_math_test_SOURCES = testsuite/gcn/math_test.c testsuite/gcn/exec_harness.h
testsuite_gcn_math_test_LDADD = $(GCN_LIBS) -lm
TESTS += testsuite/gcn/math_test

# Scaling by powers of two, as the last step of divisions does, in all rounding modes.
check_PROGRAMS += testsuite/gcn/scale_test
testsuite_gcn_scale_test_SOURCES = testsuite/gcn/scale_test.c testsuite/gcn/exec_harness.h
testsuite_gcn_scale_test_CFLAGS = $(AM_CFLAGS) -frounding-math -ffp-contract=off
testsuite_gcn_scale_test_LDADD = $(GCN_LIBS) -lm
TESTS += testsuite/gcn/scale_test

# Which processors agents have.
dist_check_SCRIPTS += testsuite/gcn/agents.sh
check_PROGRAMS += testsuite/gcn/agents_test
testsuite_gcn_agents_test_LDADD = libhsa-runtime64.la
TESTS += testsuite/gcn/agents.sh testsuite/gcn/agents_test

# Compiled code, compared with the interpreter.
if GCN_JIT
check_PROGRAMS += testsuite/gcn/jit_test
testsuite_gcn_jit_test_SOURCES = testsuite/gcn/jit_test.c testsuite/gcn/jit_loops.c testsuite/gcn/jit_loops.h testsuite/gcn/jit_made.c testsuite/gcn/jit_made.h \
	testsuite/gcn/jit_program.c testsuite/gcn/jit_program.h \
	testsuite/gcn/vector_values.c testsuite/gcn/vector_values.h \
	testsuite/gcn/decode_fields.c testsuite/gcn/decode_fields.h \
	testsuite/gcn/valu_model.c testsuite/gcn/valu_model.h testsuite/gcn/valu_model_float.c \
	testsuite/gcn/valu_model_half.c testsuite/gcn/valu_model_integer.c
testsuite_gcn_jit_test_CFLAGS = $(AM_CFLAGS) -frounding-math -ffp-contract=off
testsuite_gcn_jit_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/jit_test

# When code is compiled.
check_PROGRAMS += testsuite/gcn/tier_test
testsuite_gcn_tier_test_SOURCES = testsuite/gcn/tier_test.c testsuite/gcn/loop_kernel.h
testsuite_gcn_tier_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/tier_test

# The process that compiles.
check_PROGRAMS += testsuite/gcn/jit_worker_test
testsuite_gcn_jit_worker_test_SOURCES = testsuite/gcn/jit_worker_test.c testsuite/gcn/loop_kernel.h
testsuite_gcn_jit_worker_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/jit_worker_test

# Tests of this folder and of the finalizer again, with compiled code.
TESTS += testsuite/gcn/compiled.sh

# Code kept on disk.
TESTS += testsuite/gcn/code_cache.sh
endif
EXTRA_DIST += testsuite/gcn/loop_kernel.h testsuite/gcn/code_cache.sh testsuite/gcn/compiled.sh testsuite/gcn/jit_test.c testsuite/gcn/jit_loops.c testsuite/gcn/jit_loops.h testsuite/gcn/jit_made.c testsuite/gcn/jit_made.h \
	testsuite/gcn/jit_program.c testsuite/gcn/jit_program.h testsuite/gcn/jit_worker_test.c \
	testsuite/gcn/tier_test.c

# Programs that clang compiles, compared with the same programs on the host.
LLVM_HELPERS += testsuite/gcn/exact/compare
testsuite_gcn_exact_compare_SOURCES = testsuite/gcn/exact/compare.c testsuite/gcn/exact/on_host.c \
	testsuite/gcn/exact/programs.h testsuite/gcn/exact/programs.def testsuite/gcn/exact/work_item.h \
	testsuite/gcn/exact/hashes.cl testsuite/gcn/exact/numbers.cl testsuite/gcn/exact/shared.cl \
	testsuite/gcn/exact/sorts.cl testsuite/gcn/exact/words.cl
testsuite_gcn_exact_compare_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
testsuite_gcn_exact_compare_LDADD = testsuite/finalizer/libonhsa.la -lm
TESTS += testsuite/gcn/exact/exact.sh
EXTRA_DIST += testsuite/gcn/exact/exact.sh testsuite/gcn/exact/programs.cl

# What memory kernels of guarded agents may touch.
check_PROGRAMS += testsuite/gcn/guest_memory_test
testsuite_gcn_guest_memory_test_SOURCES = testsuite/gcn/guest_memory_test.c
testsuite_gcn_guest_memory_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/guest_memory_test

# Copies and fills that are done at once.
check_PROGRAMS += testsuite/gcn/bulk_test
testsuite_gcn_bulk_test_SOURCES = testsuite/gcn/bulk_test.c testsuite/gcn/gcn_words.h
testsuite_gcn_bulk_test_LDADD = $(GCN_LIBS)
TESTS += testsuite/gcn/bulk_test
