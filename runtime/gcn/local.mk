# runtime/gcn: the software GPU.
# GCN_PLAIN sources are built once, GCN_ISA ones once per instruction set of the host.
GCN_ISA_FLAGS = -ffp-contract=off -fno-math-errno -fno-trapping-math
GCN_PLAIN = runtime/gcn/wave.h runtime/gcn/exec.h runtime/gcn/isa.h
EXTRA_DIST += $(GCN_PLAIN)
