/* SPDX-License-Identifier: MIT */
/* The decoded form of an AMDGCN instruction, and what the operation table says about each operation.
 *
 * The names live in tables/<op,type,flag,encoding>.def; everything here expands them. One operation has one
 * enumerator, whatever encoding it is written in, and its operands stand in the same slots:
 *
 *   operation            dst        sdst        src[0]     src[1]     src[2]     src[3]
 *   SOP1 SOP2 SOPC       sdst                   ssrc0      ssrc1
 *   SOPK                 sdst       -           compared, set or jumped-to register; imm
 *   SMEM                 sdata      -           sbase      stored     -          soffset
 *   VOP1 VOP2 VOP3(P)    vdst       carry-out   src0       src1       src2, carry-in, lane mask, addend
 *   VOPC                 mask       -           src0       src1
 *   VINTRP               vdst       -           vsrc (interp_mov: none, its parameter is in attr.param)
 *   EXP                  -          -           vsrc0      vsrc1      vsrc2      vsrc3
 *   DS                   vdst       -           addr       data0      data1
 *   FLAT GLOBAL SCRATCH  vdst       -           vaddr      vdata      saddr
 *   MUBUF MTBUF          vdata      -           vaddr      vdata      srsrc      soffset
 *   MIMG                 vdata      -           vaddr      vdata      srsrc      ssamp
 *
 * Implied registers of the 32-bit encodings (VCC as mask, carry-in and carry-out) are filled in as if they
 * were written, so that a consumer need not know the encoding. A slot that is not used is GCN_NONE.
 */
#ifndef RUNTIME_GCN_INST_H
#define RUNTIME_GCN_INST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GCN_SOP1, ...: one for each row of runtime/gcn/tables/encoding.def. */
enum gcn_encoding {
#define ENCODING(id, prefix) GCN_##id,
#include "runtime/gcn/tables/encoding.def"
#undef ENCODING
    GCN_ENCODING_COUNT
};

/* GCN_OP_s_mov_b32, ...: one for each row of runtime/gcn/tables/op_*.def. */
enum gcn_op {
#define OP(id, encoding, opcode, dst, src0, src1, src2, bytes, flags) GCN_OP_##id,
#include "runtime/gcn/tables/op.def"
#undef OP
    GCN_OP_COUNT
};

/* Processors that are executed: GCN_TARGET_gfx900, ..., one for each row of runtime/gcn/tables/target.def. They are the
 * numbers of bits in gcn_op_info.targets. */
enum gcn_target_number {
#define TARGET(id, features, layout) GCN_TARGET_##id,
#include "runtime/gcn/tables/target.def"
#undef TARGET
    GCN_TARGET_COUNT
};

/* Types of operands: GCN_T_NIL, ..., one for each row of runtime/gcn/tables/gcn_type.def. */
enum gcn_type {
#define TYPE(id, bits, elements, kind) GCN_T_##id,
#include "runtime/gcn/tables/gcn_type.def"
#undef TYPE
    GCN_TYPE_COUNT
};

enum gcn_type_kind { GCN_KIND_B, GCN_KIND_U, GCN_KIND_I, GCN_KIND_F, GCN_KIND_M };

/* Flags of operations: GCN_F_OUT, ..., one for each row of runtime/gcn/tables/flag.def; 64 bits wide. */
enum {
    GCN_F_NONE = 0,
#define FLAG(id, bit) GCN_F_##id = UINT64_C(1) << (bit),
#include "runtime/gcn/tables/flag.def"
#undef FLAG
    /* the usual combinations */
    GCN_F_VALL = GCN_F_E64 | GCN_F_SDWA | GCN_F_DPP,
    GCN_F_D16_HI = GCN_F_D16 | GCN_F_HI,
    GCN_F_EXEC_RW = GCN_F_EXEC_R | GCN_F_EXEC_W,
    GCN_F_VCC_RW = GCN_F_VCC_R | GCN_F_VCC_W,
    GCN_F_OUT = GCN_F_CLAMP | GCN_F_OMOD,
    GCN_F_M0_RW = GCN_F_M0_R | GCN_F_M0_W,
};

/* A row of the type table. */
struct gcn_type_info {
    uint16_t bits;
    uint8_t elements;
    uint8_t kind;      /* enum gcn_type_kind */
    uint8_t registers; /* 32-bit registers it takes */
};
extern const struct gcn_type_info gcn_type_info[GCN_TYPE_COUNT];

/* Whether an inline constant as an operand of TYPE has 64 bits. */
static inline bool gcn_has_wide_constants(enum gcn_type type)
{
    return type == GCN_T_V4F64 || (gcn_type_info[type].bits == 64 && gcn_type_info[type].elements == 1);
}

/* A row of the operation table. */
struct gcn_op_info {
    const char *name; /* the mnemonic without encoding suffix */
    uint64_t flags;   /* GCN_F_... */
    uint16_t opcode;
    uint8_t encoding;    /* enum gcn_encoding: the home encoding */
    uint8_t targets;     /* bit N: the processor with enum gcn_target_number N has it */
    uint8_t dst, src[3]; /* enum gcn_type */
    uint8_t bytes;
};
extern const struct gcn_op_info gcn_op_info[GCN_OP_COUNT];

extern const char *const gcn_encoding_name[GCN_ENCODING_COUNT];

/* Scalar register file codes (index of a GCN_SGPR operand) beyond the numbered registers, as GFX9 has them. A decoder
 * of other machine code translates its codes to these, so that translator and handlers need not know the difference. */
enum gcn_scalar_code {
    GCN_FLAT_SCRATCH_LO = 102,
    GCN_FLAT_SCRATCH_HI = 103,
    GCN_XNACK_MASK_LO = 104,
    GCN_XNACK_MASK_HI = 105,
    GCN_VCC_LO = 106,
    GCN_VCC_HI = 107,
    GCN_TTMP0 = 108,
    GCN_TTMP15 = 123,
    GCN_M0 = 124,
    GCN_NULL = 125, /* reserved on gfx9, where it reads as 0 */
    GCN_EXEC_LO = 126,
    GCN_EXEC_HI = 127,
    GCN_SCALAR_COUNT = 128,
    /* read-only sources, index of a GCN_SPECIAL operand */
    GCN_SRC_SHARED_BASE = 235,
    GCN_SRC_SHARED_LIMIT = 236,
    GCN_SRC_PRIVATE_BASE = 237,
    GCN_SRC_PRIVATE_LIMIT = 238,
    GCN_SRC_POPS_EXITING_WAVE_ID = 239,
    GCN_SRC_VCCZ = 251,
    GCN_SRC_EXECZ = 252,
    GCN_SRC_SCC = 253,
    GCN_SRC_LDS_DIRECT = 254,
};

enum gcn_operand_kind {
    GCN_NONE,    /* not used by this instruction */
    GCN_VGPR,    /* index = first vector register */
    GCN_AGPR,    /* index = first accumulation register */
    GCN_SGPR,    /* index = first scalar register file code, 0..127; aligned for 64 bits and more */
    GCN_SPECIAL, /* index = enum gcn_scalar_code from GCN_SRC_SHARED_BASE on */
    GCN_INLINE,  /* inline constant: value[] holds it, resolved for the operand's type; index = its code */
    GCN_LITERAL, /* as GCN_INLINE, but from the dword after the instruction */
};

struct gcn_operand {
    uint8_t kind; /* enum gcn_operand_kind */
    uint8_t index;
};

enum gcn_variant { GCN_PLAIN, GCN_SDWA, GCN_DPP };

/* SDWA selections; BYTE_0..3 = 0..3. */
enum gcn_sdwa_sel { GCN_SEL_BYTE_0, GCN_SEL_WORD_0 = 4, GCN_SEL_WORD_1, GCN_SEL_DWORD };
enum gcn_sdwa_unused { GCN_UNUSED_PAD, GCN_UNUSED_SEXT, GCN_UNUSED_PRESERVE };

/* DPP_CTRL values; QUAD_PERM is 0..255, the row shifts and the rotation add 1..15, NEWBCAST 0..15. */
enum gcn_dpp_ctrl {
    GCN_DPP_ROW_SHL = 0x100,
    GCN_DPP_ROW_SHR = 0x110,
    GCN_DPP_ROW_ROR = 0x120,
    GCN_DPP_WAVE_SHL = 0x130,
    GCN_DPP_WAVE_ROL = 0x134,
    GCN_DPP_WAVE_SHR = 0x138,
    GCN_DPP_WAVE_ROR = 0x13c,
    GCN_DPP_ROW_MIRROR = 0x140,
    GCN_DPP_ROW_HALF_MIRROR = 0x141,
    GCN_DPP_ROW_BCAST15 = 0x142,
    GCN_DPP_ROW_BCAST31 = 0x143,
    GCN_DPP_ROW_NEWBCAST = 0x150,
};

enum { GCN_EXP_NULL = 9 }; /* target of an export that goes nowhere */

enum gcn_omod { GCN_OMOD_NONE, GCN_OMOD_MUL2, GCN_OMOD_MUL4, GCN_OMOD_DIV2 };

/* Bits of gcn_inst.mem.flags. */
enum gcn_mem_flag {
    GCN_MEM_GLC = 1 << 0, /* atomics: return the value before the operation */
    GCN_MEM_SLC = 1 << 1,
    GCN_MEM_LDS = 1 << 2, /* data goes to group memory */
    GCN_MEM_TFE = 1 << 3, /* one more destination register with the fault code */
    GCN_MEM_NV = 1 << 4,
    GCN_MEM_GDS = 1 << 5,
    GCN_MEM_OFFEN = 1 << 6,
    GCN_MEM_IDXEN = 1 << 7,
    GCN_MEM_UNORM = 1 << 8, /* MIMG from here on */
    GCN_MEM_DA = 1 << 9,
    GCN_MEM_A16 = 1 << 10,
    GCN_MEM_LWE = 1 << 11,
    GCN_MEM_D16 = 1 << 12,
    GCN_MEM_SCC = 1 << 13, /* coherent beyond the agent */
};

/* A decoded instruction. Fields that its encoding does not have are 0. */
struct gcn_inst {
    uint16_t op;      /* enum gcn_op */
    uint8_t encoding; /* enum gcn_encoding: the encoding it is written in */
    uint8_t size;     /* bytes, 4 or 8 */
    struct gcn_operand dst, sdst, src[4];
    int32_t imm;       /* SOPK, SOPP: sign-extended immediate; s_set_gpr_idx_on, s_atc_probe: unsigned */
    uint8_t variant;   /* enum gcn_variant */
    uint8_t abs, neg;  /* bit i = source i; negation follows the absolute value. VOP3P: neg is neg_lo */
    uint8_t neg_hi;    /* VOP3P except v_mad_mix, which has abs in its place */
    uint8_t op_sel;    /* GCN_F_OPSEL, VOP3P: bit i = high half of source i; bit 3 = of dst (not VOP3P) */
    uint8_t op_sel_hi; /* VOP3P */
    uint8_t omod;      /* enum gcn_omod */
    uint8_t clamp;
    union {
        struct {
            uint8_t dst_sel, dst_unused; /* enum gcn_sdwa_sel, enum gcn_sdwa_unused */
            uint8_t src_sel[2];          /* enum gcn_sdwa_sel */
            uint8_t sext;                /* bit i = source i is sign-extended */
        } sdwa;
        struct {
            uint16_t ctrl; /* enum gcn_dpp_ctrl */
            uint8_t row_mask, bank_mask;
            uint8_t bound_ctrl;
        } dpp;
        struct {
            uint8_t cbsz, abid; /* which block of A the blocks of a group of 1 << CBSZ take */
            uint8_t blgp;       /* which lanes of B take the place of others */
        } matrix;               /* GCN_F_MATRIX */
    };
    union {
        uint64_t value[3]; /* constant sources by their slot: 64-bit patterns for 64-bit operands, else 32-bit */
        struct {
            int32_t offset;           /* byte offset; DS single: 0..65535; SMEM, GLOBAL, SCRATCH: signed */
            uint32_t soffset;         /* value of src[3], where that is GCN_INLINE */
            uint16_t flags;           /* enum gcn_mem_flag */
            uint8_t offset0, offset1; /* DS */
            uint8_t dfmt, nfmt;       /* MTBUF */
            uint8_t dmask;            /* MIMG */
            bool has_offset;          /* SMEM: offset is written, maybe beside src[3] */
        } mem;
        struct {
            uint8_t attr, chan, param, high; /* VINTRP and interpolation in VOP3 */
        } attr;
        struct {
            uint8_t en, target, compr, done, vm;
        } exp;
    };
};
_Static_assert(sizeof(struct gcn_inst) <= 64, "a decoded instruction fits a cache line");

/* Data registers of an image instruction; 0 if its dmask does not fit the operation. */
static inline unsigned gcn_image_data_registers(const struct gcn_inst *inst)
{
    const struct gcn_op_info *info = &gcn_op_info[inst->op];
    unsigned dmask = inst->mem.dmask, components = (unsigned)__builtin_popcount(dmask);
    unsigned fault_status = inst->mem.flags & GCN_MEM_TFE ? 1 : 0;
    if (info->flags & GCN_F_ATOMIC) {
        bool pair = inst->op == GCN_OP_image_atomic_cmpswap;
        if (!(pair ? dmask == 3 || dmask == 15 : dmask == 1 || dmask == 3))
            return 0;
        return components + fault_status;
    }
    if (info->flags & GCN_F_GATHER4)
        components = 4;
    else if (!components)
        components = 1;
    if (inst->mem.flags & GCN_MEM_D16)
        components = (components + 1) / 2;
    return components + fault_status;
}

/* Whether an access to a hardware register, IMM of s_getreg or s_setreg, takes any of the COUNT bits from FIRST on. */
static inline bool gcn_takes_bits(int32_t imm, uint32_t first, uint32_t count)
{
    uint32_t offset = (uint32_t)imm >> 6 & 31, size = ((uint32_t)imm >> 11 & 31) + 1;
    return offset < first + count && offset + size > first;
}

/* Program counter after a taken SOPP branch, s_call_b64 or s_cbranch_i_fork at PC. */
static inline uint64_t gcn_branch_target(const struct gcn_inst *inst, uint64_t pc)
{
    return pc + 4 + (uint64_t)((int64_t)inst->imm * 4);
}

#endif
