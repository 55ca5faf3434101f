/* SPDX-License-Identifier: MIT */
/* Tests memory instructions as machine code: LLVM's assembler encodes them; decoder, translator and handlers execute
 * them. Each check is one line of assembly, and looks at one register or one place in memory for every lane. What the
 * operations compute is checked elsewhere; this test checks that every operand gets where it belongs. */
#include "testsuite/gcn/exec_harness.h"
#include "testsuite/float_bits.h"

#include "runtime/gcn/wave_run.h"
#include "runtime/gcn/guest_memory.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

/* Before each snippet: s[2:3] is the address of memory, s[4:7] memory as raw buffer, s[8:11] as records of 8 bytes,
 * s[12:15] private memory as buffer, s16 = 8, s17 = 64, s18 = 0x1234, s19 = 0x5678, m0 = 12, flat_scratch private
 * memory; v0 = lane, v1 = 4 * lane, v[2:3] memory + 4 * lane, v[4:5] group + 4 * lane, v[6:7] private + 8, s[40:47]
 * memory as 2D image of 64 x 16 texels, 32 bits UINT; s[48:51] sampler, nearest, not normalized; s[52:59] the same
 * image with float texels; v12 = lane, v13 = 1; v14 = lane + 0.5, v15 = 1.5; v16 = 0; v8.. = 5000.., 6000.., ... +
 * lane; memory word i = 1000 + i, group word i = 2000 + i, private dword i = 3000 + i. */
enum where { VGPR, SGPR, MEMORY, GROUP, PRIVATE };

static const struct snippet {
    const char *text;
    enum where where;
    unsigned index;       /* VGPR, SGPR: its number; else the word of lane 0 */
    uint32_t value, step; /* expected: value + step * lane */
} snippets[] = {
    {"s_load_dword s20, s[2:3], 0x10", SGPR, 20, 1004, 0},
    {"s_load_dwordx2 s[20:21], s[2:3], s16", SGPR, 21, 1003, 0},
    {"s_load_dwordx4 s[20:23], s[2:3], s17", SGPR, 23, 1019, 0},
    {"s_load_dwordx16 s[20:35], s[2:3], 0x40", SGPR, 35, 1031, 0},
    {"s_add_u32 s2, s2, 64\n s_load_dwordx8 s[20:27], s[2:3], -0x20", SGPR, 27, 1015, 0},
    {"s_buffer_load_dword s20, s[4:7], s16 offset:4", SGPR, 20, 1003, 0},
    {"s_buffer_load_dwordx2 s[20:21], s[4:7], 0xffc", SGPR, 20, 0, 0},
    {"s_load_dwordx2 vcc, s[2:3], 0x8", SGPR, 107, 1003, 0},
    {"s_store_dword s18, s[2:3], 0x8", MEMORY, 2, 0x1234, 0},
    {"s_store_dwordx2 s[18:19], s[2:3], s16", MEMORY, 3, 0x5678, 0},
    {"s_atomic_add s18, s[2:3], 0x8 glc", SGPR, 18, 1002, 0},
    {"s_atomic_add s18, s[2:3], 0x8", MEMORY, 2, 1002 + 0x1234, 0},
    {"s_buffer_atomic_swap s18, s[4:7], s17 glc", SGPR, 18, 1016, 0},
    {"s_dcache_wb\n s_memtime s[20:21]\n s_mov_b32 s20, 1", SGPR, 20, 1, 0},

    {"global_load_dword v20, v[2:3], off", VGPR, 20, 1000, 1},
    {"global_load_dword v20, v[2:3], off offset:8", VGPR, 20, 1002, 1},
    {"v_add_co_u32 v2, vcc, 64, v2\n v_addc_co_u32 v3, vcc, 0, v3, vcc\n global_load_dword v20, v[2:3], off "
     "offset:-8",
     VGPR, 20, 1014, 1},
    {"global_load_dword v20, v1, s[2:3] offset:4", VGPR, 20, 1001, 1},
    {"global_load_dwordx4 v[20:23], v1, s[2:3]", VGPR, 23, 1003, 1},
    {"global_load_dwordx3 v[2:4], v[2:3], off", VGPR, 4, 1002, 1},
    {"global_load_ushort v20, v[2:3], off", VGPR, 20, 1000, 1},
    {"global_load_short_d16_hi v8, v[2:3], off\n v_lshrrev_b32 v20, 16, v8", VGPR, 20, 1000, 1},
    {"global_store_dword v[2:3], v8, off offset:4", MEMORY, 1, 5000, 1},
    {"global_store_dword v1, v9, s[2:3] offset:16", MEMORY, 4, 6000, 1},
    {"global_atomic_add v20, v[2:3], v8, off glc", VGPR, 20, 1000, 1},
    {"global_atomic_add v[2:3], v8, off offset:4", MEMORY, 1, 6001, 2},
    {"v_mov_b32 v9, 1002\n global_atomic_cmpswap v1, v[8:9], s[2:3] offset:4\n v_mov_b32 v20, 0", VGPR, 20, 0, 0},
    {"v_add_u32 v9, 1001, v0\n global_atomic_cmpswap v20, v[2:3], v[8:9], off offset:4 glc", VGPR, 20, 1001, 1},
    {"v_add_u32 v9, 1001, v0\n global_atomic_cmpswap v[2:3], v[8:9], off offset:4", MEMORY, 1, 5000, 1},
    {"flat_load_dword v20, v[2:3] offset:12", VGPR, 20, 1003, 1},
    {"flat_load_dword v20, v[4:5] offset:12", VGPR, 20, 2003, 1},
    {"flat_load_dwordx2 v[20:21], v[6:7] offset:4", VGPR, 21, 3004, 0},
    {"flat_store_dword v[4:5], v8 offset:4", GROUP, 1, 5000, 1},
    {"flat_store_dword v[6:7], v8 offset:4", PRIVATE, 3, 5000, 1},
    {"flat_atomic_add v20, v[4:5], v8 offset:4 glc", VGPR, 20, 2001, 1},
    {"scratch_load_dword v20, v1, off offset:4", VGPR, 20, 3001, 1},
    {"scratch_load_dwordx2 v[20:21], off, s16 offset:4", VGPR, 21, 3004, 0},
    {"scratch_store_dword off, v8, s17 offset:-4", PRIVATE, 15, 5000, 1},
    {"scratch_store_dword v6, v8, off", PRIVATE, 2, 5000, 1},

    {"buffer_load_dword v20, off, s[4:7], s16 offset:4", VGPR, 20, 1003, 0},
    {"buffer_load_dword v20, v1, s[4:7], 4 offen offset:8", VGPR, 20, 1003, 1},
    {"buffer_load_dwordx2 v[20:21], v0, s[8:11], 0 idxen", VGPR, 21, 1001, 2},
    {"v_mov_b32 v9, 4\n buffer_load_dword v20, v[8:9], s[8:11], s16 idxen offen", VGPR, 20, 0, 0},
    {"v_mov_b32 v9, v0\n v_mov_b32 v10, 4\n buffer_load_dword v20, v[9:10], s[8:11], s16 idxen offen", VGPR, 20, 1003,
     2},
    {"buffer_store_dword v8, v1, s[4:7], 0 offen offset:4", MEMORY, 1, 5000, 1},
    {"buffer_store_short v8, v1, s[4:7], 0 offen", MEMORY, 0, 5000, 1},
    {"buffer_atomic_add v8, v1, s[4:7], 0 offen glc", VGPR, 8, 1000, 1},
    {"buffer_load_dword v20, off, s[12:15], 0 offset:12", VGPR, 20, 3003, 0},
    {"buffer_load_dword v20, v1, s[12:15], 0 offen offset:12", VGPR, 20, 3003, 1},
    {"s_movk_i32 s20, 0x100\n buffer_load_dword v20, off, s[12:15], s20 offset:12", VGPR, 20, 3004, 0},
    {"buffer_store_dwordx2 v[8:9], off, s[12:15], 0 offset:8", PRIVATE, 3, 6000, 1},
    {"buffer_store_dword v8, v1, s[12:15], 0 offen\n scratch_load_dword v20, v1, off", VGPR, 20, 5000, 1},
    {"buffer_load_dword off, s[4:7], 0 offset:16 lds", GROUP, 7, 1004, 0},
    {"buffer_load_format_x v20, v1, s[4:7], 0 offen offset:4", VGPR, 20, 1001, 1},
    {"buffer_load_format_x v1, s[4:7], 0 offen offset:4 lds", GROUP, 4, 1001, 1},
    {"buffer_load_format_xyzw v[20:23], v1, s[4:7], 0 offen", VGPR, 23, 1, 0},
    {"buffer_store_format_xy v[8:9], v1, s[4:7], 0 offen offset:8", MEMORY, 2, 5000, 1},
    {"tbuffer_load_format_xy v[20:21], v1, s[4:7], 0 format:[BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_UINT] offen", VGPR,
     20, 1000, 1},
    {"tbuffer_store_format_x v8, v1, s[4:7], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_SINT] offen offset:4", MEMORY,
     1, 5000, 1},
    {"tbuffer_load_format_d16_xy v20, v1, s[4:7], 0 format:[BUF_DATA_FORMAT_16,BUF_NUM_FORMAT_UINT] offen", VGPR, 20,
     1000, 1},
    {"image_load v20, v[12:13], s[40:47] dmask:0x1 unorm", VGPR, 20, 1064, 1},
    {"image_load v[20:23], v[12:13], s[40:47] dmask:0xf unorm", VGPR, 23, 1, 0},
    {"image_load v20, v[8:9], s[40:47] dmask:0x1 unorm", VGPR, 20, 0, 0},
    {"image_load_mip v20, v[12:14], s[40:47] dmask:0x1 unorm", VGPR, 20, 0, 0},
    {"image_store v8, v[12:13], s[40:47] dmask:0x1 unorm", MEMORY, 64, 5000, 1},
    {"image_load_pck v20, v[12:13], s[52:59] dmask:0x1 unorm", VGPR, 20, 1064, 1},
    {"image_load_mip_pck_sgn v20, v[12:14], s[52:59] dmask:0x1 unorm", VGPR, 20, 0, 0},
    {"image_store_pck v8, v[12:13], s[52:59] dmask:0x1 unorm", MEMORY, 64, 5000, 1},
    {"image_atomic_add v8, v[12:13], s[40:47] dmask:0x1 unorm glc", VGPR, 8, 1064, 1},
    {"image_atomic_add v8, v[12:13], s[40:47] dmask:0x1 unorm", MEMORY, 64, 6064, 2},
    {"image_get_resinfo v[20:21], v16, s[40:47] dmask:0x3", VGPR, 21, 16, 0},
    {"image_sample_lz v20, v[14:15], s[40:47], s[48:51] dmask:0x1", VGPR, 20, 1064, 1},
    {"image_sample_l v20, v[14:16], s[40:47], s[48:51] dmask:0x1", VGPR, 20, 1064, 1},
    {"v_mov_b32 v14, 0x3fc00000\n image_sample v20, v[14:15], s[40:47], s[48:51] dmask:0x1", VGPR, 20, 1065, 0},
    {"v_mov_b32 v14, -1.0\n image_sample_lz v20, v[14:15], s[40:47], s[48:51] dmask:0x1", VGPR, 20, 1064, 0},
    /* an infinite coordinate of a pattern that repeats itself is 0; the offset is -1 */
    {"s_mov_b32 s48, 0\n v_mov_b32 v13, 0x3f\n v_mov_b32 v14, 0x7f800000\n v_mov_b32 v15, 0\n"
     " image_sample_lz_o v20, v[13:15], s[40:47], s[48:51] dmask:0x1",
     VGPR, 20, 1063, 0},
    {"v_mov_b32 v14, 2.0\n v_mov_b32 v15, 2.0\n image_gather4_lz v[20:23], v[14:15], s[40:47], s[48:51] dmask:0x1",
     VGPR, 22, 1066, 0},
    {"v_mov_b32 v14, 2.0\n v_mov_b32 v15, 2.0\n image_gather4h v[20:23], v[14:15], s[40:47], s[48:51] dmask:0x1", VGPR,
     20, 1065, 0},
    {"v_mov_b32 v14, 2.0\n v_mov_b32 v15, 2.0\n image_gather4h v[20:23], v[14:15], s[40:47], s[48:51] dmask:0x1", VGPR,
     23, 1068, 0},
    {"v_mov_b32 v14, 0\n v_mov_b32 v15, 2.0\n image_gather4h v[20:23], v[14:15], s[40:47], s[48:51] dmask:0x1", VGPR,
     20, 1064, 0},
    {"s_mov_b32 s50, 0x500000\n v_cvt_f32_u32 v20, 4\n global_store_dword v[2:3], v20, off\n v_mov_b32 v14, 2.0\n"
     " v_mov_b32 v15, 0.5\n image_sample_lz v20, v[14:15], s[52:59], s[48:51] dmask:0x1\n"
     " v_cvt_u32_f32 v20, v20",
     VGPR, 20, 4, 0},
    {"buffer_wbinvl1_vol\n v_mov_b32 v20, 7", VGPR, 20, 7, 0},
    {"v_screen_partition_4se_b32 v20, 1", VGPR, 20, 3, 0}, /* the manual's example, and two rows of its table */
    {"v_screen_partition_4se_b32 v20, 8", VGPR, 20, 7, 0},
    {"v_screen_partition_4se_b32 v20, 25", VGPR, 20, 11, 0},

    {"ds_read_b32 v20, v1 offset:8", VGPR, 20, 2002, 1},
    {"ds_read_b64 v[20:21], v1 offset:8", VGPR, 21, 2003, 1},
    {"ds_read2_b32 v[20:21], v1 offset0:1 offset1:5", VGPR, 21, 2005, 1},
    {"ds_read2_b32 v[1:2], v1 offset0:1 offset1:5", VGPR, 1, 2001, 1},
    {"ds_read2st64_b32 v[20:21], v1 offset0:0 offset1:1", VGPR, 21, 2064, 1},
    {"ds_read_u16 v20, v1 offset:4", VGPR, 20, 2001, 1},
    {"ds_write_b32 v1, v8 offset:4", GROUP, 1, 5000, 1},
    {"ds_write2_b32 v1, v8, v9 offset1:70", GROUP, 70, 6000, 1},
    {"ds_write2st64_b32 v1, v8, v9 offset0:1 offset1:2", GROUP, 128, 6000, 1},
    {"ds_add_u32 v1, v8 offset:4", GROUP, 1, 7001, 2},
    {"ds_add_rtn_u32 v20, v1, v8 offset:4", VGPR, 20, 2001, 1},
    {"v_add_u32 v9, 2000, v0\n ds_cmpst_b32 v1, v9, v8", GROUP, 0, 5000, 1},
    {"v_add_u32 v9, 2000, v0\n ds_cmpst_rtn_b32 v20, v1, v9, v8", VGPR, 20, 2000, 1},
    {"ds_wrxchg_rtn_b32 v20, v1, v8\n ds_read_b32 v21, v1", VGPR, 21, 5000, 1},
    {"ds_bpermute_b32 v20, v1, v8", VGPR, 20, 5000, 1},
    {"v_xor_b32 v9, 0xfc, v1\n ds_bpermute_b32 v20, v9, v8", VGPR, 20, 5063, (uint32_t)-1},
    {"v_xor_b32 v9, 0xfc, v1\n ds_permute_b32 v20, v9, v8", VGPR, 20, 5063, (uint32_t)-1},
    {"ds_swizzle_b32 v20, v8 offset:swizzle(BITMASK_PERM,\"pppp0\")\n v_and_b32 v20, 1, v20", VGPR, 20, 0, 0},
    {"ds_append v20 offset:4", VGPR, 20, 2004, 0},
    {"ds_append v20 offset:4", GROUP, 4, 2068, 0},
    {"ds_read_addtid_b32 v20 offset:4", VGPR, 20, 2004, 1},
};
enum { SNIPPETS = sizeof snippets / sizeof snippets[0], SLOT = 256, WORDS = 1024 };

/* Each consists of whole pages, which can be made inaccessible. */
static uint32_t memory[WORDS] __attribute__((aligned(4096))), group[WORDS] __attribute__((aligned(4096)));
static uint32_t private[80 * GCN_LANES] __attribute__((aligned(4096)));
static struct guest_memory *guest; /* what the next snippets may touch; NULL: everything */
static uint8_t *code;

/* Assembles all snippets, each in a slot of its own, with llvm-mc; NULL if that is not installed. */
static uint8_t *assemble(size_t *size)
{
    const char *bin = getenv("LLVM_BINDIR");
    char source[] = "exec_code_XXXXXX", command[4096];
    uint8_t *object = NULL;
    int fd = mkstemp(source);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return NULL;
    for (unsigned i = 0; i < SNIPPETS; i++)
        fprintf(f, " .p2align 8\n %s\n s_endpgm\n", snippets[i].text);
    fclose(f);
    snprintf(command, sizeof command, "'%s/llvm-mc' -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj '%s'",
             bin ? bin : "", source);
    f = popen(command, "r");
    if (f) {
        object = malloc(1 << 20);
        *size = fread(object, 1, 1 << 20, f);
        if (pclose(f)) {
            free(object);
            object = NULL;
        }
    }
    unlink(source);
    return object;
}

/* Copies .text of OBJECT to CODE; returns its size. */
static size_t take_text(const uint8_t *object)
{
    Elf64_Ehdr header;
    memcpy(&header, object, sizeof header);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, object + header.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type == SHT_PROGBITS && section.sh_flags & SHF_EXECINSTR && section.sh_size) {
            code = aligned_alloc(256, (section.sh_size + 255) & ~UINT64_C(255));
            memcpy(code, object + section.sh_offset, section.sh_size);
            return section.sh_size;
        }
    }
    return 0;
}

static void lane64(unsigned line, unsigned lane, uint64_t value)
{
    wave->v[line][lane] = (uint32_t)value;
    wave->v[line + 1][lane] = (uint32_t)(value >> 32);
}

static void prepare(void)
{
    new_wave(UINT64_MAX);
    wave->guest = guest;
    for (unsigned i = 0; i < WORDS; i++) {
        memory[i] = 1000 + i;
        group[i] = 2000 + i;
    }
    for (unsigned i = 0; i < 80 * GCN_LANES; i++)
    private[i] = 3000 + i / GCN_LANES;
    wave->lds = (uint8_t *)group;
    wave->lds_size = sizeof group;
    wave->scratch = (uint8_t *)private;
    wave->scratch_size = 320;
    uint64_t base = (uintptr_t)memory;
    gcn_set64(wave, 2, base);
    gcn_set64(wave, 4, base);
    gcn_set64(wave, 6, 512 | UINT64_C(0x24FAC) << 32);
    gcn_set64(wave, 8, base | UINT64_C(8) << 48);
    gcn_set64(wave, 10, 512 | UINT64_C(0x24FAC) << 32);
    gcn_set64(wave, 12, (uintptr_t)private | UINT64_C(1) << 63);
    gcn_set64(wave, 14, sizeof private | UINT64_C(0xE24FAC) << 32);
    gcn_set64(wave, GCN_S_FLAT_SCRATCH, (uintptr_t)private);
    for (unsigned k = 40; k < 60; k += 12) {
        wave->s[k] = (uint32_t)(base >> 8);
        wave->s[k + 1] = (uint32_t)(base >> 40) | 4 << 20 | (k == 40 ? 4u : 7u) << 26;
        wave->s[k + 2] = 63 | 15 << 14;
        wave->s[k + 3] = 4 | 1 << 9 | 9u << 28;
        wave->s[k + 4] = 63 << 13;
        wave->s[k + 5] = wave->s[k + 6] = wave->s[k + 7] = 0;
    }
    wave->s[48] = 2 | 2 << 3 | 2 << 6 | 1 << 15;
    wave->s[49] = wave->s[50] = wave->s[51] = 0;
    wave->s[16] = 8;
    wave->s[17] = 64;
    wave->s[18] = 0x1234;
    wave->s[19] = 0x5678;
    wave->s[GCN_S_M0] = 12;
    for (unsigned i = 0; i < GCN_LANES; i++) {
        wave->v[0][i] = i;
        wave->v[1][i] = 4 * i;
        wave->v[12][i] = i;
        wave->v[13][i] = 1;
        wave->v[14][i] = bits_of_f32((float)i + 0.5f);
        wave->v[15][i] = bits_of_f32(1.5f);
        wave->v[16][i] = 0;
        lane64(2, i, base + 4 * i);
        lane64(4, i, ((uint64_t)GCN_SHARED_BASE_HI << 32) + 4 * i);
        lane64(6, i, ((uint64_t)GCN_PRIVATE_BASE_HI << 32) + 8);
        for (unsigned k = 8; k < 12; k++)
            wave->v[k][i] = 5000 + 1000 * (k - 8) + i;
    }
}

static bool enter(uint64_t pc)
{
    struct gcn_entry entry;
    enum gcn_fault_kind kind;
    if (!gcn_cache_find(cache, pc, &entry, &kind))
        return false;
    gcn_wave_enter(wave, &entry);
    wave->budget = GCN_BUDGET;
    return true;
}

static bool check_snippet(unsigned i)
{
    const struct snippet *t = &snippets[i];
    prepare();
    if (!enter((uintptr_t)code + (uint64_t)i * SLOT) || gcn_wave_run(wave) != GCN_STOP_END) {
        printf("# stopped: %s, fault %d at %llx\n", wave->fault.name, wave->fault.kind,
               (unsigned long long)wave->fault.address);
        return false;
    }
    for (unsigned lane = 0; lane < GCN_LANES; lane++) {
        uint32_t want = t->value + t->step * lane, got = 0;
        unsigned moved = t->step ? lane : 0; /* without a step, all lanes have written the same word */
        switch (t->where) {
        case VGPR: got = wave->v[t->index][lane]; break;
        case SGPR: got = wave->s[t->index]; break;
        case MEMORY: got = memory[t->index + moved]; break;
        case GROUP: got = group[t->index + moved]; break;
        case PRIVATE: got = private[t->index * GCN_LANES + lane]; break;
        }
        if (strstr(t->text, "store_short"))
            got &= 0xFFFF;
        if (got != want) {
            printf("# lane %u: %u, not %u\n", lane, got, want);
            return false;
        }
    }
    return true;
}

/* Accesses a page that does not exist: the fault must be reported with its address, and the process must go on. */
static void check_page_fault(uint8_t *pages, const char *name)
{
    unsigned wrong = 0;
    static const char *const names[] = {
        "global_load_dword v20, v[2:3], off",
        "s_load_dword s20, s[2:3], 0x10",
        "global_store_dword v[2:3], v8, off offset:4",
        "global_atomic_add v20, v[2:3], v8, off glc",
        "buffer_load_dword v20, v1, s[4:7], 4 offen offset:8",
        "flat_load_dword v20, v[2:3] offset:12"};
    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++) {
        unsigned i = 0;
        while (strcmp(snippets[i].text, names[k]))
            i++;
        prepare();
        uint64_t base = (uintptr_t)pages + 4096 - 16;
        gcn_set64(wave, 2, base);
        gcn_set64(wave, 4, base);
        for (unsigned lane = 0; lane < GCN_LANES; lane++)
            lane64(2, lane, base + 4 * lane);
        enter((uintptr_t)code + (uint64_t)i * SLOT);
        enum gcn_stop stop = gcn_wave_run(wave);
        bool right = stop == GCN_STOP_FAULT && wave->fault.kind == GCN_FAULT_MEMORY &&
                     wave->fault.address >= (uintptr_t)pages + 4096 && wave->fault.address < (uintptr_t)pages + 4352 &&
                     wave->fault.pc == (uintptr_t)code + (uint64_t)i * SLOT;
        wrong += !right;
        if (!right)
            printf("# %s: stop %d, fault %d at %llx, page %p\n", names[k], stop, wave->fault.kind,
                   (unsigned long long)wave->fault.address, (void *)(pages + 4096));
    }
    ok(!wrong, "%s", name);
}

/* Runs snippet I. Returns whether it had a memory fault, and where. */
static bool faults(unsigned i, uint64_t *address)
{
    enter((uintptr_t)code + (uint64_t)i * SLOT);
    enum gcn_stop stop = gcn_wave_run(wave);
    *address = wave->fault.address;
    return stop == GCN_STOP_FAULT && wave->fault.kind == GCN_FAULT_MEMORY;
}

/* A page that exists, but of which the agent was not told, must behave to a kernel like one that does not exist. */
static void check_guard(void)
{
    unsigned wrong = 0, faulted = 0;
    struct guest_memory *map = guest_memory_new();
    guest_memory_add(map, private, sizeof private);
    for (unsigned i = 0; i < SNIPPETS; i++) {
        uint64_t there = 0, address = 0;
        guest = map;
        prepare();
        bool refused = faults(i, &address), changed = false;
        for (unsigned k = 0; k < WORDS; k++)
            changed |= memory[k] != 1000 + k;
        guest = NULL;
        prepare();
        mprotect(memory, sizeof memory, PROT_NONE);
        bool gone = faults(i, &there);
        mprotect(memory, sizeof memory, PROT_READ | PROT_WRITE);
        bool right = refused == gone && !changed && (!gone || there / 4096 == address / 4096);
        wrong += !right;
        faulted += gone;
        if (!right)
            printf("# %s: fault %d at %llx instead of %d at %llx\n", snippets[i].text, refused,
                   (unsigned long long)address, gone, (unsigned long long)there);
    }
    ok(!wrong && faulted > SNIPPETS / 2, "memory that the agent was not told of is refused (%u snippets)", faulted);
    guest_memory_add(map, memory, sizeof memory);
    guest = map;
    for (unsigned i = 0; i < SNIPPETS; i++)
        wrong += !check_snippet(i);
    ok(!wrong, "memory that the agent was told of can be accessed");
    guest = NULL;
    guest_memory_free(map);
}

static void check_page_faults(void)
{
    uint8_t *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned changed = 0;
    guest = guest_memory_new();
    guest_memory_add(guest, pages, 8192);
    guest_memory_add(guest, pages, 1); /* a page may be part of several ranges */
    guest_memory_remove(guest, pages);
    guest_memory_remove(guest, pages);
    guest_memory_add(guest, pages, 4096);
    check_page_fault(pages, "accesses beyond what the agent was told of are faults with their address");
    for (unsigned i = 4096; i < 8192; i++)
        changed += pages[i] != 0;
    ok(!changed, "accesses that fault change no memory");
    guest_memory_free(guest);
    guest = NULL;
    munmap(pages + 4096, 4096);
    check_page_fault(pages, "accesses to a page that is not there are faults with its address");
    munmap(pages, 4096);
}

int main(void)
{
    size_t size = 0;
    uint8_t *object = assemble(&size);
    if (!object) {
        tap_skip("machine code", "llvm-mc is missing");
        return tap_done();
    }
    size = take_text(object);
    free(object);
    if (!ok(size > (SNIPPETS - 1) * SLOT && gcn_guard_acquire(), "assembled"))
        return tap_done();
    while (next_engine()) {
        printf("# built for %s\n", engine->name);
        gcn_cache_add(cache, code, size, code, size);
        for (unsigned i = 0; i < SNIPPETS; i++)
            ok(check_snippet(i), "%.*s", (int)strcspn(snippets[i].text, "\n"), snippets[i].text);
        check_page_faults();
        check_guard();
    }
    gcn_guard_release();
    free(code);
    free(wave);
    return tap_done();
}
