# runtime/gcn: the software GPU.
# GCN_PLAIN sources are built once, GCN_SIMD ones once per instruction set of the host.
# Nothing unwinds through handlers, and tables for it are a twentieth of the library. Padding is another part of it that
# hardly makes it faster.
GCN_FLAGS = -fno-asynchronous-unwind-tables $(ALIGN_FLAGS)
GCN_SIMD_FLAGS = $(GCN_FLAGS) -ffp-contract=off -fno-math-errno -fno-trapping-math
# With checks of each pointer to a register of a lane these files would take half as long again to compile, which is
# minutes. The address sanitizer checks the accesses.
if SANITIZERS
GCN_SIMD_FLAGS += -fno-sanitize=null,alignment,pointer-overflow
endif
GCN_PLAIN = \
	runtime/gcn/wave.h runtime/gcn/exec/exec.h runtime/gcn/exec/host_simd.h runtime/gcn/translate/micro.h \
	runtime/gcn/engine.c runtime/gcn/engine.h runtime/gcn/translate/translate.c \
	runtime/gcn/translate/translate.h runtime/gcn/translate/unit.c runtime/gcn/translate/unit.h \
	runtime/gcn/guest_memory.c runtime/gcn/guest_memory.h runtime/gcn/translate/micro_scalar.c \
	runtime/gcn/translate/micro_vector.c runtime/gcn/translate/micro_emit.h runtime/gcn/wave_run.c \
	runtime/gcn/exec/exec_control.c runtime/gcn/wave_run.h runtime/gcn/dispatch.c runtime/gcn/group.c \
	runtime/gcn/group.h runtime/gcn/pool.c runtime/gcn/pool.h runtime/gcn/gcn_queue.c runtime/gcn/gcn_driver.c \
	runtime/gcn/gcn_agent.h runtime/gcn/tables/fault.def runtime/gcn/turn.c runtime/gcn/turn.h \
	runtime/gcn/access.c runtime/gcn/access.h runtime/gcn/launch.c runtime/gcn/launch.h \
	runtime/gcn/tables/launch.def runtime/gcn/exact.c runtime/gcn/exact.h runtime/gcn/exact_number.c \
	runtime/gcn/exact_quick.c runtime/gcn/tables/exact.def runtime/gcn/fault.c runtime/gcn/fault.h \
	runtime/gcn/tables/check.def runtime/gcn/check/check.c runtime/gcn/check/check.h \
	runtime/gcn/check/check_access.c runtime/gcn/check/check_barrier.c runtime/gcn/check/check_descriptor.c \
	runtime/gcn/check/check_promise.c runtime/gcn/check/check_aperture.c runtime/gcn/check/check_host.c \
	runtime/gcn/check/check_race.c runtime/gcn/check/race_table.c runtime/gcn/check/race_table.h \
	runtime/gcn/check/check_wait.c runtime/gcn/check/check_init.c runtime/gcn/check/check_init.h \
	runtime/gcn/check/check_init_memory.c runtime/gcn/check/check_init_scalar.c \
	runtime/gcn/check/check_init_vector.c runtime/gcn/check/check_fresh.c runtime/gcn/check/init_plan.c \
	runtime/gcn/check/init_plan.h runtime/gcn/check/shadow.c runtime/gcn/check/shadow.h \
	runtime/gcn/check/shadow_rule.c runtime/gcn/check/shadow_rule.h runtime/gcn/tables/shadow.def \
	runtime/gcn/observe/observe.c runtime/gcn/observe/observe.h runtime/gcn/observe/count.c \
	runtime/gcn/observe/count_memory.c runtime/gcn/observe/count_report.c runtime/gcn/observe/occupancy.c \
	runtime/gcn/observe/occupancy.h runtime/gcn/observe/count_sample.c runtime/gcn/observe/count_sample.h \
	runtime/gcn/observe/trace.c runtime/gcn/observe/trace.h runtime/gcn/observe/prompt.c \
	runtime/gcn/observe/prompt.h runtime/gcn/observe/prompt_command.c runtime/gcn/observe/prompt_print.c \
	runtime/gcn/observe/prompt_location.c runtime/gcn/observe/prompt_location.h \
	runtime/gcn/observe/prompt_variable.c runtime/gcn/observe/wave_state.c runtime/gcn/observe/wave_state.h
GCN_SIMD = \
	runtime/gcn/exec/dpp.h runtime/gcn/exec/exec_valu.c runtime/gcn/exec/exec_lane.c \
	runtime/gcn/exec/exec_matrix.c runtime/gcn/tables/matrix.def runtime/gcn/exec/valu.h runtime/gcn/exec/valu_vector.h \
	runtime/gcn/exec/valu_handlers.h runtime/gcn/exec/valu_rows.h runtime/gcn/exec/valu_saturating_rows.h \
	runtime/gcn/exec/lane.h runtime/gcn/exec/lane_int.h runtime/gcn/exec/lane_math.h \
	runtime/gcn/exec/lane_vector.h runtime/gcn/ops/valu_int.def runtime/gcn/ops/valu_f32.def \
	runtime/gcn/ops/valu_f64.def runtime/gcn/ops/valu_f16.def runtime/gcn/ops/compare.def \
	runtime/gcn/ops/micro.def runtime/gcn/exec/lane_micro.h

# Copies and fills that are done at once.
GCN_PLAIN += \
	runtime/gcn/bulk/affine.c runtime/gcn/bulk/affine.h runtime/gcn/bulk/bulk.c runtime/gcn/bulk/bulk.h \
	runtime/gcn/bulk/bulk_compute.c runtime/gcn/bulk/bulk_explore.c runtime/gcn/bulk/bulk_memory.c \
	runtime/gcn/bulk/bulk_move.c runtime/gcn/bulk/bulk_record.c runtime/gcn/bulk/bulk_scalar.c \
	runtime/gcn/bulk/bulk_stream.c runtime/gcn/bulk/bulk_vector.c \
	runtime/gcn/bulk/bulk_wave.h runtime/gcn/tables/bulk.def

# Instructions: their tables, decoder and text form.
noinst_LTLIBRARIES += libgcninst.la
libgcninst_la_SOURCES = \
	runtime/gcn/inst/op.c runtime/gcn/inst/inst.h runtime/gcn/inst/gcn_target.c runtime/gcn/inst/gcn_target.h \
	runtime/gcn/tables/op.def runtime/gcn/tables/op_scalar.def runtime/gcn/tables/op_vector.def \
	runtime/gcn/tables/op_memory.def runtime/gcn/tables/target.def runtime/gcn/tables/gcn_type.def \
	runtime/gcn/tables/flag.def \
	runtime/gcn/tables/encoding.def runtime/gcn/tables/number.def runtime/gcn/tables/reject.def \
	runtime/gcn/inst/decode.c runtime/gcn/inst/decode_valu.c runtime/gcn/inst/decode_mem.c \
	runtime/gcn/inst/decode.h runtime/gcn/inst/decode_p.h \
	runtime/gcn/inst/print.c runtime/gcn/inst/print_valu.c runtime/gcn/inst/print_mem.c \
	runtime/gcn/inst/print.h runtime/gcn/inst/print_p.h

# Scalar operations, and every kind of memory.
GCN_PLAIN += \
	runtime/gcn/exec/exec_salu.c runtime/gcn/exec/exec_salu_ops.h runtime/gcn/tables/salu.def \
	runtime/gcn/exec/exec_smem.c runtime/gcn/exec/exec_mem.h runtime/gcn/exec/exec_rmw.h \
	runtime/gcn/exec/exec_rows.def runtime/gcn/exec/exec_clock.h runtime/gcn/tables/memory.def \
	runtime/gcn/exec/exec_flat.h runtime/gcn/exec/exec_flat_slow.c runtime/gcn/exec/exec_atomic.c \
	runtime/gcn/exec/exec_lds.h runtime/gcn/exec/exec_lds_atomic.c runtime/gcn/exec/exec_lines.h runtime/gcn/exec/exec_triples.h \
	runtime/gcn/exec/exec_buffer.h runtime/gcn/exec/exec_buffer_slow.c runtime/gcn/exec/exec_typed.c \
	runtime/gcn/exec/exec_pixel.c runtime/gcn/exec/exec_pixel.h runtime/gcn/tables/pixel.def \
	runtime/gcn/exec/exec_gws.c runtime/gcn/exec/gws.h runtime/gcn/exec/exec_image.c \
	runtime/gcn/exec/exec_image.h runtime/gcn/exec/exec_sample.c
GCN_SIMD += runtime/gcn/exec/exec_flat.c runtime/gcn/exec/exec_stream.c runtime/gcn/exec/exec_lds.c \
	runtime/gcn/exec/exec_buffer.c

# The engine, and the driver that makes agents of it: gcn_driver_init().
noinst_LTLIBRARIES += libgcn.la libgcn_base.la libgcn_avx2.la libgcn_avx512.la
libgcn_la_SOURCES = $(GCN_PLAIN)
libgcn_la_CFLAGS = $(AM_CFLAGS) $(GCN_FLAGS)
libgcn_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBEXECDIR='"$(pkglibexecdir)"'
libgcn_la_LIBADD = libpacket.la libgcn_base.la libgcn_avx2.la libgcn_avx512.la libgcnchunk_avx2.la \
	libgcnchunk_avx512.la libgcninst.la libworker.la -lm
GCN_LIBS = libgcn.la libsupport.la # for programs that use the engine without the runtime
libgcn_base_la_SOURCES = $(GCN_SIMD)
libgcn_base_la_CPPFLAGS = $(AM_CPPFLAGS) -DGCN_SIMD=base
libgcn_base_la_CFLAGS = $(AM_CFLAGS) $(GCN_SIMD_FLAGS) $(ALIGN_LEAST_FLAGS)
libgcn_avx2_la_SOURCES = $(GCN_SIMD)
libgcn_avx2_la_CPPFLAGS = $(AM_CPPFLAGS) -DGCN_SIMD=avx2
libgcn_avx2_la_CFLAGS = $(AM_CFLAGS) $(GCN_SIMD_FLAGS) -mavx2 -mfma -mf16c
libgcn_avx512_la_SOURCES = $(GCN_SIMD)
libgcn_avx512_la_CPPFLAGS = $(AM_CPPFLAGS) -DGCN_SIMD=avx512
libgcn_avx512_la_CFLAGS = $(AM_CFLAGS) $(GCN_SIMD_FLAGS) -mavx2 -mfma -mf16c -mprefer-vector-width=512 \
	-mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512cd

# The tier, which has code compiled that runs often, and what places the code; and the program that compiles, if clang
# and LLVM are found.
libgcn_la_SOURCES += runtime/gcn/jit/tier.c runtime/gcn/jit/tier.h runtime/gcn/jit/chunk.h runtime/gcn/jit/jit.h \
	runtime/gcn/jit/jit_client.c runtime/gcn/jit/jit_client.h runtime/gcn/jit/load.c runtime/gcn/jit/protocol.h
noinst_LTLIBRARIES += libgcnchunk_avx2.la libgcnchunk_avx512.la
libgcnchunk_avx2_la_SOURCES = runtime/gcn/jit/chunk.c
libgcnchunk_avx2_la_CPPFLAGS = $(libgcn_avx2_la_CPPFLAGS)
libgcnchunk_avx2_la_CFLAGS = $(libgcn_avx2_la_CFLAGS)
libgcnchunk_avx512_la_SOURCES = runtime/gcn/jit/chunk.c
libgcnchunk_avx512_la_CPPFLAGS = $(libgcn_avx512_la_CPPFLAGS)
libgcnchunk_avx512_la_CFLAGS = $(libgcn_avx512_la_CFLAGS)
GCN_JIT_SOURCES = \
	runtime/gcn/jit/build.h runtime/gcn/jit/chunk.h runtime/gcn/jit/clone.c runtime/gcn/jit/code_cache.c \
	runtime/gcn/jit/code_cache.h runtime/gcn/jit/compile.c runtime/gcn/jit/compile_unit.c \
	runtime/gcn/jit/effect.c runtime/gcn/jit/entry.c runtime/gcn/jit/import.c runtime/gcn/jit/jit.h runtime/gcn/jit/jit_compiler.h \
	runtime/gcn/jit/jit_server.c runtime/gcn/jit/lane.c runtime/gcn/jit/live.c runtime/gcn/jit/llvm_headers.h \
	runtime/gcn/jit/loop.c runtime/gcn/jit/loop.h runtime/gcn/jit/loop_find.c runtime/gcn/jit/loop_values.c \
	runtime/gcn/jit/parts.h runtime/gcn/jit/parts_find.c runtime/gcn/jit/parts_lanes.c runtime/gcn/jit/parts_masks.c \
	runtime/gcn/jit/parts_prove.c runtime/gcn/jit/parts_registers.c runtime/gcn/jit/parts_simplify.c \
	runtime/gcn/jit/parts_wave.c runtime/gcn/jit/protocol.h \
	runtime/gcn/jit/scalar.c runtime/gcn/jit/scalar_memory.c runtime/gcn/jit/segment.c runtime/gcn/jit/segment.h \
	runtime/gcn/jit/segment_chunks.c runtime/gcn/jit/segment_memory.c runtime/gcn/jit/segment_memory.h \
	runtime/gcn/jit/segment_regular.c runtime/gcn/jit/segment_scaled.c runtime/gcn/jit/segment_shift.c
EXTRA_DIST += $(GCN_JIT_SOURCES) runtime/gcn/jit/template.c
# A digest of the sources, by which the two see that they agree on the numbers of operations and the places of registers.
GCN_STAMPED = $(libgcn_la_SOURCES) $(GCN_SIMD) $(libgcninst_la_SOURCES) $(GCN_JIT_SOURCES) runtime/gcn/jit/template.c
BUILT_SOURCES += runtime/gcn/jit/build_stamp.h
CLEANFILES += runtime/gcn/jit/build_stamp.h
runtime/gcn/jit/build_stamp.h: $(GCN_STAMPED) runtime/gcn/jit/$(am__dirstamp)
	$(AM_V_GEN)stamp=`(cd $(srcdir) && cat $(GCN_STAMPED)) | sha256sum | cut -c 1-20` && \
		echo "#define GCN_BUILD_STAMP \"$$stamp\"" >$@
if GCN_JIT
GCN_JIT_TEMPLATES = runtime/gcn/jit/templates_avx2.bc runtime/gcn/jit/templates_avx512.bc
pkglibexec_PROGRAMS += hsail-gcn-worker
hsail_gcn_worker_SOURCES = $(GCN_JIT_SOURCES)
hsail_gcn_worker_CPPFLAGS = $(AM_CPPFLAGS) $(LLVM_CFLAGS) $(MD_CFLAGS) \
	-DJIT_BITCODE_AVX2='"$(abs_top_builddir)/runtime/gcn/jit/templates_avx2.bc"' \
	-DJIT_BITCODE_AVX512='"$(abs_top_builddir)/runtime/gcn/jit/templates_avx512.bc"'
hsail_gcn_worker_LDADD = libgcnchunk_avx2.la libgcnchunk_avx512.la libgcninst.la libworker.la libsupport.la \
	$(LLVM_JIT_LIBS) $(MD_LIBS)
hsail_gcn_worker_LDFLAGS = $(AM_LDFLAGS) -Wl,--build-id=sha1 $(LLVM_WORKER_LDFLAGS)
$(hsail_gcn_worker_OBJECTS): $(GCN_JIT_TEMPLATES)
CLEANFILES += $(GCN_JIT_TEMPLATES)
# clang reads standard input, because bitcode would keep the name of a source file.
GCN_TEMPLATE = $(CLANG) -x c -std=gnu17 -O3 $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) -fno-strict-aliasing \
	-fno-math-errno -fno-trapping-math -ffp-contract=off -fno-slp-vectorize -w -emit-llvm -c
GCN_TEMPLATE_FROM = runtime/gcn/jit/template.c $(GCN_SIMD) runtime/gcn/exec/exec_salu_ops.h runtime/gcn/tables/salu.def
runtime/gcn/jit/templates_avx2.bc: $(GCN_TEMPLATE_FROM) runtime/gcn/jit/$(am__dirstamp)
	$(AM_V_GEN)$(GCN_TEMPLATE) -DGCN_SIMD=avx2 -mavx2 -mfma -mf16c -o $@ - <$(srcdir)/runtime/gcn/jit/template.c
runtime/gcn/jit/templates_avx512.bc: $(GCN_TEMPLATE_FROM) runtime/gcn/jit/$(am__dirstamp)
	$(AM_V_GEN)$(GCN_TEMPLATE) -DGCN_SIMD=avx512 -mavx2 -mfma -mf16c -mprefer-vector-width=512 \
		-mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512cd -o $@ - <$(srcdir)/runtime/gcn/jit/template.c
endif
