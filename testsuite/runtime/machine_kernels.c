/* SPDX-License-Identifier: MIT */
/* Kernels in machine code; see machine_kernels.h. The code object is the smallest that the loader accepts: one segment
 * that holds everything, and the sections of its dynamic symbols. */
#include "testsuite/runtime/machine_kernels.h"

#include "hsa/amd_hsa_kernel_code.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { CODE_BYTES = 256, GFX900_WITHOUT_XNACK = 0x22c, SECTIONS = 3 };

/* A kernel finds the kernarg address in s[4:5] and the index of its work-group in s8. */
static const uint32_t code[MACHINE_KERNELS][CODE_BYTES / 4] = {
    [MACHINE_ADD] = {0x7e000204 /* v_mov_b32 v0, s4 */, 0x7e020205 /* v_mov_b32 v1, s5 */,
                     0x7e040281 /* v_mov_b32 v2, 1 */, 0x7e060280 /* v_mov_b32 v3, 0 */, 0xdd880000,
                     0x00000200 /* flat_atomic_add_x2 v[0:1], v[2:3] */, 0xbf810000 /* s_endpgm */},
    [MACHINE_STORE] = {0x7e000204, 0x7e020205, 0x7e0402aa /* v_mov_b32 v2, 42 */, 0x7e060280, 0xdc740008,
                       0x00000200 /* flat_store_dwordx2 v[0:1], v[2:3] offset:8 */, 0xc0020002,
                       0x00000018 /* s_load_dword s0, s[4:5], 0x18 */, 0xbf8c0070 /* s_waitcnt vmcnt(0) lgkmcnt(0) */,
                       0xbefc0000 /* s_mov_b32 m0, s0 */, 0xbf900001 /* s_sendmsg sendmsg(MSG_INTERRUPT) */,
                       0xbf810000},
    [MACHINE_EMPTY] = {0xbf810000},
    [MACHINE_SPIN] = {0xbf82ffff /* s_branch to itself */},
    [MACHINE_UNIT] = {0xb8801a04 /* s_getreg_b32 s0, hwreg(HW_REG_HW_ID, 8, 4) */, 0x7e080204 /* v_mov_b32 v4, s4 */,
                      0x7e0a0205 /* v_mov_b32 v5, s5 */, 0xbefe0181 /* s_mov_b64 exec, 1 */,
                      0x7e040281 /* v_mov_b32 v2, 1 */, 0x24040400 /* v_lshlrev_b32 v2, s0, v2 */, 0xdd240000,
                      0x00000204 /* flat_atomic_or v[4:5], v2 */, 0xbf810000 /* s_endpgm */},
    [MACHINE_GWS_INIT] = {0x7e080204 /* v_mov_b32 v4, s4 */, 0x7e0a0205 /* v_mov_b32 v5, s5 */, 0xc0020002,
                          0x00000000 /* s_load_dword s0, s[4:5], 0x0 */, 0xbf8cc07f /* s_waitcnt lgkmcnt(0) */,
                          0x7e000200 /* v_mov_b32 v0, s0 */, 0xbefc00ff, 0x00030000 /* s_mov_b32 m0, 0x30000 */,
                          0xd9330002, 0x00000000 /* ds_gws_init v0 offset:2 gds */, 0xbf810000 /* s_endpgm */},
    [MACHINE_GWS_MEET] =
        {0x7e080204 /* v_mov_b32 v4, s4 */,
         0x7e0a0205 /* v_mov_b32 v5, s5 */,
         0xc0020002,
         0x00000000 /* s_load_dword s0, s[4:5], 0x0 */,
         0xbefe0181 /* s_mov_b64 exec, 1 */,
         0x7e040281 /* v_mov_b32 v2, 1 */,
         0xdd080004,
         0x00000204 /* flat_atomic_add v[4:5], v2 offset:4 */,
         0xbf8c0070 /* s_waitcnt vmcnt(0) lgkmcnt(0) */,
         0x7e060200 /* v_mov_b32 v3, s0 */,
         0xbefc00ff,
         0x00030000 /* s_mov_b32 m0, 0x30000 */,
         0xd93b0002,
         0x00000003 /* ds_gws_barrier v3 offset:2 gds */,
         0xdc510004,
         0x06000004 /* flat_load_dword v6, v[4:5] offset:4 glc */,
         0xbf8c0070 /* s_waitcnt vmcnt(0) lgkmcnt(0) */,
         0xdd080008,
         0x00000604 /* flat_atomic_add v[4:5], v6 offset:8 */,
         0xd93b0002,
         0x00000003 /* ds_gws_barrier v3 offset:2 gds */,
         0xbf810000 /* s_endpgm */},
    [MACHINE_GWS_SEMAPHORE] =
        {0x7e080204 /* v_mov_b32 v4, s4 */,
         0x7e0a0205 /* v_mov_b32 v5, s5 */,
         0x7e040281 /* v_mov_b32 v2, 1 */,
         0xbefe0181 /* s_mov_b64 exec, 1 */,
         0xbefc00ff,
         0x00030000 /* s_mov_b32 m0, 0x30000 */,
         0xc0020002,
         0x00000000 /* s_load_dword s0, s[4:5], 0x0 */,
         0xbf068008 /* s_cmp_eq_u32 s8, 0 */,
         0xbf850005 /* s_cbranch_scc1 post */,
         0xd9390002,
         0x00000000 /* ds_gws_sema_p offset:2 gds */,
         0xdd080004,
         0x00000204 /* flat_atomic_add v[4:5], v2 offset:4 */,
         0xbf810000 /* s_endpgm */,
         0xd9350002,
         0x00000000 /* ds_gws_sema_v offset:2 gds */,
         0x7e060282 /* v_mov_b32 v3, 2 */,
         0xd9370002,
         0x00000003 /* ds_gws_sema_br v3 offset:2 gds */,
         0xdc510004,
         0x06000004 /* flat_load_dword v6, v[4:5] offset:4 glc */,
         0xbf8c0070 /* s_waitcnt vmcnt(0) lgkmcnt(0) */,
         0x7d9a0c83 /* v_cmp_ne_u32 vcc, 3, v6 */,
         0xbf87fffb /* s_cbranch_vccnz again */,
         0xd9310002,
         0x00000000 /* ds_gws_sema_release_all offset:2 gds */,
         0xdc510004,
         0x06000004 /* flat_load_dword v6, v[4:5] offset:4 glc */,
         0xbf8c0070 /* s_waitcnt vmcnt(0) lgkmcnt(0) */,
         0x7d9a0c00 /* v_cmp_ne_u32 vcc, s0, v6 */,
         0xbf87fff9 /* s_cbranch_vccnz all */,
         0xbf810000 /* s_endpgm */},
    [MACHINE_FILL] = {0xc00a0002, 0x00000000 /* s_load_dwordx4 s[0:3], s[4:5], 0x0 */,
                      0xbf8cc07f /* s_waitcnt lgkmcnt(0) */, 0x8e088908 /* s_lshl_b32 s8, s8, 9 */,
                      0x24000083 /* v_lshlrev_b32 v0, 3, v0 */, 0x68000008 /* v_add_u32 v0, s8, v0 */,
                      0x32000000 /* v_add_co_u32 v0, vcc, s0, v0 */, 0x7e020201 /* v_mov_b32 v1, s1 */,
                      0x38020280 /* v_addc_co_u32 v1, vcc, 0, v1, vcc */, 0x7e040202 /* v_mov_b32 v2, s2 */,
                      0x7e060203 /* v_mov_b32 v3, s3 */, 0xdc740000, 0x00000200 /* flat_store_dwordx2 v[0:1], v[2:3] */,
                      0xbf810000 /* s_endpgm */},
};

#define NAME "k0.kd"

static struct file {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Shdr sections[SECTIONS];
    Elf64_Sym symbols[1 + MACHINE_KERNELS];
    char strings[1 + MACHINE_KERNELS * sizeof NAME];
    amd_kernel_descriptor_t descriptors[MACHINE_KERNELS];
    uint32_t code[MACHINE_KERNELS][CODE_BYTES / 4] __attribute__((aligned(256)));
} file;

static void make_kernel(unsigned i)
{
    char *name = file.strings + 1 + i * sizeof NAME;
    memcpy(name, NAME, sizeof NAME);
    name[1] = (char)('0' + i);
    file.symbols[1 + i] = (Elf64_Sym){
        .st_name = (Elf64_Word)(name - file.strings),
        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
        .st_shndx = 1,
        .st_value = offsetof(struct file, descriptors) + i * sizeof file.descriptors[0],
        .st_size = sizeof file.descriptors[0]};
    file.descriptors[i] = (amd_kernel_descriptor_t){
        .kernel_code_entry_byte_offset =
            (int64_t)(offsetof(struct file, code) + i * CODE_BYTES - file.symbols[1 + i].st_value),
        .compute_pgm_rsrc1 = 0xf0u << 12 | 1u << 21 | 1u << 23,
        .compute_pgm_rsrc2 = 8u << 1 | 1u << 7,
        .kernel_code_properties = AMD_KERNEL_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER |
                                  AMD_KERNEL_ENABLE_SGPR_KERNARG_SEGMENT_PTR | AMD_KERNEL_ENABLE_SGPR_DISPATCH_ID};
}

static void make_file(void)
{
    file.header = (Elf64_Ehdr){
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT, 64, 2},
        .e_type = ET_DYN,
        .e_machine = 224,
        .e_version = EV_CURRENT,
        .e_phoff = offsetof(struct file, segment),
        .e_shoff = offsetof(struct file, sections),
        .e_flags = GFX900_WITHOUT_XNACK,
        .e_ehsize = sizeof file.header,
        .e_phentsize = sizeof file.segment,
        .e_phnum = 1,
        .e_shentsize = sizeof file.sections[0],
        .e_shnum = SECTIONS};
    file.segment =
        (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = sizeof file, .p_memsz = sizeof file};
    file.sections[1] = (Elf64_Shdr){
        .sh_type = SHT_DYNSYM,
        .sh_offset = offsetof(struct file, symbols),
        .sh_size = sizeof file.symbols,
        .sh_link = 2};
    file.sections[2] = (Elf64_Shdr){
        .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct file, strings), .sh_size = sizeof file.strings};
    for (unsigned i = 0; i < MACHINE_KERNELS; i++)
        make_kernel(i);
    memcpy(file.code, code, sizeof code);
}

hsa_executable_t machine_load(hsa_agent_t agent, uint64_t objects[MACHINE_KERNELS])
{
    hsa_executable_t executable = {0}, none = {0};
    hsa_code_object_reader_t reader;
    make_file();
    if (hsa_code_object_reader_create_from_memory(&file, sizeof file, &reader) ||
        hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable) ||
        hsa_executable_load_agent_code_object(executable, agent, reader, NULL, NULL) ||
        hsa_executable_freeze(executable, NULL))
        return none;
    hsa_code_object_reader_destroy(reader);
    for (unsigned i = 0; i < MACHINE_KERNELS; i++) {
        hsa_executable_symbol_t symbol;
        if (hsa_executable_get_symbol_by_name(executable, file.strings + 1 + i * sizeof NAME, &agent, &symbol) ||
            hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &objects[i]))
            return none;
    }
    return executable;
}
