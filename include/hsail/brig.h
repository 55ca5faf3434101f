/* SPDX-License-Identifier: MIT */
/* BRIG, the binary format of HSAIL: its enumerations and structures, with the names of chapter 18 of the
 * HSA Programmer's Reference Manual 1.2.
 *
 * Everything here is expanded from the tables in brig/tables/, which are installed beside this header and may
 * be included by a program for its own use (a printer, a checker, a binding to another language):
 *
 *     #define OP(name, code, text, form, operands, rules, section) case HSA_BRIG_OPCODE_##name: return text;
 *     #include <hsail/brig/tables/opcode.def>
 *
 * A module is one block of bytes, little endian, aligned to 16: hsa_brig_module_header_t, an array of uint64_t offsets
 * (the section index) and the sections, the first three of them hsa_data, hsa_code and hsa_operand. An entry refers to
 * others by its byte offset from the start of their section; 0 refers to nothing. The structures hold only what this
 * revision knows: entries may be longer, so step from entry to entry by base.byte_count. */
#ifndef HSAIL_BRIG_H
#define HSAIL_BRIG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Offsets (18.3.1). An offset into hsa_data leads to an hsa_brig_data_t, not to its bytes. */
typedef uint32_t hsa_brig_data_offset32_t;
typedef uint32_t hsa_brig_code_offset32_t;
typedef uint32_t hsa_brig_operand_offset32_t;
typedef hsa_brig_data_offset32_t hsa_brig_data_offset_string32_t;
typedef hsa_brig_data_offset32_t hsa_brig_data_offset_code_list32_t;
typedef hsa_brig_data_offset32_t hsa_brig_data_offset_operand_list32_t;

/* Enumerations (18.3.2-18.3.40); fields hold them in the width that their type name ends in. */
#define ENUM(prefix, name, set) typedef enum {
#define VALUE(set, enumerator, code, text) enumerator = code,
#define FLAG(set, enumerator, mask, text) enumerator = mask,
#define MARK(set, enumerator, code) enumerator = code,
#define END(prefix, name, bits) } prefix##_##name##_t; typedef uint##bits##_t prefix##_##name##bits##_t;
#include "brig/tables/value.def"

/* HSA_BRIG_KIND_NONE, ...: one for each KIND of item.def. */
typedef enum {
#define KIND(name, code, struct_, section) HSA_BRIG_KIND_##name = code,
#define KIND_MARK(name, code) HSA_BRIG_KIND_##name = code,
#include "brig/tables/item.def"
} hsa_brig_kind_t;
typedef uint16_t hsa_brig_kind16_t;

/* HSA_BRIG_OPCODE_NOP, ...: one for each row of opcode.def; HSA_VEN_AMD_BRIG_OPCODE_GCN_MADU, ... for vendors. */
typedef enum {
#define OP(name, code, text, form, operands, rules, section) HSA_BRIG_OPCODE_##name = code,
#define OP_VENDOR(vendor, name, code, text, form, operands, rules, extension) \
    HSA_VEN_##vendor##_BRIG_OPCODE_##name = code,
#define OP_MARK(name, code) HSA_BRIG_OPCODE_##name = code,
#include "brig/tables/opcode.def"
} hsa_brig_opcode_t;
typedef uint16_t hsa_brig_opcode16_t;

/* How a type code is composed (18.3.28). */
typedef enum {
    HSA_BRIG_TYPE_CLASS_BASE_SIZE = 5,
    HSA_BRIG_TYPE_CLASS_PACK_SIZE = 2,
    HSA_BRIG_TYPE_CLASS_ARRAY_SIZE = 1,
    HSA_BRIG_TYPE_CLASS_BASE_SHIFT = 0,
    HSA_BRIG_TYPE_CLASS_PACK_SHIFT = 5,
    HSA_BRIG_TYPE_CLASS_ARRAY_SHIFT = 7,
    HSA_BRIG_TYPE_CLASS_BASE_MASK = 0x1f,
    HSA_BRIG_TYPE_CLASS_PACK_MASK = 0x60,
    HSA_BRIG_TYPE_CLASS_ARRAY_MASK = 0x80,
    HSA_BRIG_TYPE_CLASS_PACK_NONE = 0x00,
    HSA_BRIG_TYPE_CLASS_PACK_32 = 0x20,
    HSA_BRIG_TYPE_CLASS_PACK_64 = 0x40,
    HSA_BRIG_TYPE_CLASS_PACK_128 = 0x60,
    HSA_BRIG_TYPE_CLASS_ARRAY = 0x80
} hsa_brig_type_class_t;

/* HSA_BRIG_TYPE_NONE, HSA_BRIG_TYPE_U8, HSA_BRIG_TYPE_U8_ARRAY, ...: of each row of type.def. */
typedef enum {
#define TYPE_ALONE(name, code, text, class_, element, count, bits) HSA_BRIG_TYPE_##name = code,
#define TYPE(name, code, text, class_, element, count, bits)                                               \
    HSA_BRIG_TYPE_##name = code, HSA_BRIG_TYPE_##name##_ARRAY = code | HSA_BRIG_TYPE_CLASS_ARRAY,
#include "brig/tables/type.def"
} hsa_brig_type_t;
typedef uint16_t hsa_brig_type16_t;

/* Structures (18.2-18.6): hsa_brig_base_t, which is struct hsa_brig_base_s, ..., one for each STRUCT of item.def. */
#define STRUCT(name) typedef struct name##_s {
#define FIELD(struct_, ctype, member, offset, width, role, argument) ctype member;
#define ARRAY(struct_, ctype, member, count, offset, width, role, argument) ctype member[count];
#define END(struct_, size) } struct_##_t;
#include "brig/tables/item.def"

/* A module in memory: the address of its first byte. */
typedef hsa_brig_module_header_t *hsa_brig_module_t;

/* The layout is that of the document, whatever the compiler. */
#ifdef __cplusplus
#define HSAIL_BRIG_ASSERT_(condition, text) static_assert(condition, text);
#else
#define HSAIL_BRIG_ASSERT_(condition, text) _Static_assert(condition, text);
#endif
#define FIELD(struct_, ctype, member, offset, width, role, argument)                                       \
    HSAIL_BRIG_ASSERT_(offsetof(struct_##_t, member) == (offset), #struct_ "." #member " is in its place") \
    HSAIL_BRIG_ASSERT_(sizeof(ctype) == (width), #struct_ "." #member " has its width")
#define ARRAY(struct_, ctype, member, count, offset, width, role, argument)                                \
    HSAIL_BRIG_ASSERT_(offsetof(struct_##_t, member) == (offset), #struct_ "." #member " is in its place") \
    HSAIL_BRIG_ASSERT_(sizeof(ctype) * (count) == (width), #struct_ "." #member " has its width")
#define END(struct_, size) HSAIL_BRIG_ASSERT_(sizeof(struct_##_t) == (size), #struct_ " has its size")
#include "brig/tables/item.def"
#undef HSAIL_BRIG_ASSERT_

#ifdef __cplusplus
}
#endif

#endif
