/* SPDX-License-Identifier: MIT */
/* A code object, which is an ELF file for AMDGPU, after its content has been checked. */
#ifndef RUNTIME_CODE_OBJECT_H
#define RUNTIME_CODE_OBJECT_H

#include "runtime/core.h"
#include "support/amdgpu.h"
#include "support/bytes.h"
#include "support/hash_table.h"
#include "support/launch_note.h"

#include <elf.h>

/* What the metadata note, or else the kernel descriptor, says about a kernel. */
struct kernel_info {
    uint32_t kernarg_size, kernarg_align, group_size, private_size, wavefront_size;
    bool dynamic_stack;
    /* Only metadata has these; 0 where it says nothing. */
    bool has_registers;
    uint32_t vgprs, agprs, sgprs, vgpr_spills, sgpr_spills;
    uint32_t required_group[3], max_group; /* work-items */
    bool is_opencl;
    struct launch_limits limits; /* of a note of the finalizer */
};

struct code_symbol {
    const char *name;                /* in the image, NUL-terminated */
    const char *module, *hsail_name; /* with module linkage: the module's name, and its own in HSAIL; else NULL */
    hsa_symbol_kind_t kind;
    bool defined, constant, weak;
    uint64_t value; /* virtual address in the file's address space */
    uint64_t size;  /* bytes */
    uint32_t align;
    struct kernel_info kernel;
    uint64_t handle; /* hsa_code_symbol_t; 0 unless asked for by the interface of 1.0 */
    struct code_object *code_object;
};

struct code_segment {
    uint64_t address, memory_size, file_offset, file_size;
    uint32_t flags; /* PF_* */
};

struct code_object {
    uint8_t *image; /* owned */
    size_t size;
    char isa[AMDGPU_NAME_SIZE]; /* target id, from the flags of the header */
    unsigned version;           /* 3 to 6 */
    uint64_t low, span;         /* virtual addresses that the segments take, page aligned */
    VEC(struct code_segment) segments;
    struct bytes symtab, strtab;     /* the dynamic symbols */
    VEC(struct bytes) relocations;   /* tables of Elf64_Rela */
    struct hash_table numbers;       /* while notes are read: numbers + 1 of the symbols, by name */
    VEC(struct code_symbol) symbols; /* kernels and variables, defined or not */
};

/* Copies and checks SIZE bytes. INVALID_CODE_OBJECT: not a well-formed code object of V3 to V6.
 * INVALID_ISA_NAME: the processor is not known. */
hsa_status_t code_object_open(const void *bytes, size_t size, struct code_object **result) MUST_CHECK;
void code_object_close(struct code_object *object);

/* The content of the section called NAME, the first of several; none if it is missing, compressed or not in the file.
 */
struct bytes code_object_section(const struct code_object *object, const char *name);

/* The symbol called NAME in MODULE; see code_symbol_is_called(). NULL: there is none. */
struct code_symbol *code_object_symbol(struct code_object *object, const char *module, const char *name);

/* linkage.c. A hash of a symbol's name, the same with and without ".kd" at its end. */
uint32_t code_name_hash(const char *name, size_t length);

/* Fills in the numbers of the symbols; false if memory is out. */
bool code_object_number(struct code_object *object) MUST_CHECK;

/* Read a note of linkage, or of limits, into the symbols, which have numbers. */
void code_object_read_linkage(struct code_object *object, struct bytes note);
void code_object_read_limits(struct code_object *object, struct bytes note);

/* Whether a client may call the symbol NAME. With MODULE it is the name of a symbol of module linkage; if MODULE is
 * NULL or empty, the name in the object file, for a kernel also without ".kd", or "module::name". */
bool code_symbol_is_called(const struct code_symbol *symbol, const char *module, const char *name);

/* The name that is reported for a symbol. */
struct bytes code_symbol_name(const struct code_symbol *symbol);

/* metadata.c: calls SET for every kernel that the MessagePack document in NOTE describes, with the name of its symbol,
 * which is not terminated, and what is said of it. A malformed document ends early. */
void metadata_kernels(struct bytes note, void (*set)(struct bytes symbol, const struct kernel_info *info, void *data),
                      void *data);

/* The arguments of the kernel whose descriptor has the name SYMBOL, but for hidden ones: at most COUNT. Returns how
 * many there are. */
size_t metadata_arguments(const struct code_object *object, const char *symbol, hsam_argument *arguments, size_t count);

/* Attributes that a code symbol and an executable symbol have in common; true when ATTRIBUTE, an
 * hsa_executable_symbol_info_t, is one of them and applies to the kind of symbol. */
bool code_symbol_attribute(const struct code_symbol *symbol, int attribute, void *value);

#endif
