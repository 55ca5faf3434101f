# runtime/gcn: the software GPU.
# GCN_PLAIN sources are built once, GCN_ISA ones once per instruction set of the host.
GCN_ISA_FLAGS = -ffp-contract=off -fno-math-errno -fno-trapping-math
GCN_PLAIN = runtime/gcn/wave.h runtime/gcn/exec.h runtime/gcn/isa.h
GCN_ISA =
EXTRA_DIST += $(GCN_PLAIN) $(GCN_ISA)

# Instructions: their tables, decoder and text form.
noinst_LTLIBRARIES += libgcninst.la
libgcninst_la_SOURCES = \
	runtime/gcn/op.c runtime/gcn/inst.h \
	runtime/gcn/tables/op.def runtime/gcn/tables/op_scalar.def runtime/gcn/tables/op_vector.def \
	runtime/gcn/tables/op_memory.def runtime/gcn/tables/type.def runtime/gcn/tables/flag.def \
	runtime/gcn/tables/format.def runtime/gcn/tables/reject.def \
	runtime/gcn/decode.c runtime/gcn/decode_valu.c runtime/gcn/decode_mem.c \
	runtime/gcn/decode.h runtime/gcn/decode_p.h \
	runtime/gcn/format.c runtime/gcn/format_valu.c runtime/gcn/format_mem.c \
	runtime/gcn/format.h runtime/gcn/format_p.h

# Scalar operations, and every kind of memory.
GCN_PLAIN += runtime/gcn/exec_salu.c runtime/gcn/exec_salu_ops.h runtime/gcn/tables/salu.def \
	runtime/gcn/exec_smem.c runtime/gcn/exec_mem.h runtime/gcn/exec_rmw.h runtime/gcn/exec_clock.h \
	runtime/gcn/tables/memory.def runtime/gcn/exec_flat.h runtime/gcn/exec_flat_slow.c \
	runtime/gcn/exec_atomic.c runtime/gcn/exec_lds.h runtime/gcn/exec_lds_atomic.c runtime/gcn/exec_lines.h \
	runtime/gcn/exec_buffer.h runtime/gcn/exec_buffer_slow.c
GCN_ISA += runtime/gcn/exec_flat.c runtime/gcn/exec_lds.c runtime/gcn/exec_buffer.c
