/* SPDX-License-Identifier: MIT */
/* Files, scopes and types that debug pragmas describe (PRM 13.4.2.2.3), as LLVM's metadata.
 *
 * Input: numbers of entities, which may describe anything and refer to themselves. Output: metadata, or NULL for what
 * they do not describe. Sizes and alignments count bits, as in LLVM's metadata, after which the pragmas are modelled.
 * Members have neither names nor places in the document, so they follow each other as their alignment asks. */
#include "finalizer/debug_source.h"

#include <stdlib.h>
#include <string.h>

enum {
    ELEMENTS = 256,
    TAG_POINTER = 0x0f,
    TAG_STRUCTURE = 0x13,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37
};

struct named_number {
    const char *name;
    unsigned number;
};

static unsigned number_of(struct bytes name, const struct named_number *rows, size_t count, unsigned otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (bytes_are_text(name, rows[i].name))
            return rows[i].number;
    return otherwise;
}

unsigned source_language(const struct debug_source *s)
{
    static const struct named_number languages[] = {
        {"Ada83", LLVMDWARFSourceLanguageAda83},
        {"Ada95", LLVMDWARFSourceLanguageAda95},
        {"C", LLVMDWARFSourceLanguageC},
        {"C89", LLVMDWARFSourceLanguageC89},
        {"C99", LLVMDWARFSourceLanguageC99},
        {"C++", LLVMDWARFSourceLanguageC_plus_plus},
        {"Cobol74", LLVMDWARFSourceLanguageCobol74},
        {"Cobol85", LLVMDWARFSourceLanguageCobol85},
        {"Fortran77", LLVMDWARFSourceLanguageFortran77},
        {"Fortran90", LLVMDWARFSourceLanguageFortran90},
        {"Fortran95", LLVMDWARFSourceLanguageFortran95},
        {"Pascal83", LLVMDWARFSourceLanguagePascal83},
        {"Modula2", LLVMDWARFSourceLanguageModula2},
        {"Java", LLVMDWARFSourceLanguageJava},
        {"PLI", LLVMDWARFSourceLanguagePLI},
        {"ObjC", LLVMDWARFSourceLanguageObjC},
        {"ObjC++", LLVMDWARFSourceLanguageObjC_plus_plus},
        {"UPC", LLVMDWARFSourceLanguageUPC},
        {"D", LLVMDWARFSourceLanguageD},
        {"Python", LLVMDWARFSourceLanguagePython}};
    return number_of(source_text(s, s->unit, 4), languages, sizeof languages / sizeof *languages,
                     LLVMDWARFSourceLanguageC);
}

struct source_place source_place_of(struct lower *l, struct debug_source *s, uint64_t number)
{
    struct source_place place = {0};
    const struct source_entity *entity = source_entity_of(s, number);
    if (!entity || !source_has_tag(s, entity->at, 2, "Location"))
        return place;
    uint32_t file = source_entity_at(s, entity->at, 3, "File");
    uint64_t line = source_number(s, entity->at, 4), column = source_number(s, entity->at, 5);
    if (file) {
        struct bytes name = source_text(s, file, 3), folder = source_text(s, file, 4);
        place.file = LLVMDIBuilderCreateFile(
            l->debug.builder, (const char *)name.data, name.size, (const char *)folder.data, folder.size);
    }
    place.line = line <= UINT32_MAX ? (unsigned)line : 0;
    place.column = column <= UINT16_MAX ? (unsigned)column : 0;
    return place;
}

LLVMMetadataRef source_scope(struct lower *l, struct debug_source *s, uint64_t number)
{
    struct source_entity *entity = source_entity_of(s, number);
    if (!entity || entity->is_open || !source_has_tag(s, entity->at, 2, "Namespace"))
        return l->debug.unit;
    if (!entity->made) {
        struct bytes name = source_text(s, entity->at, 5);
        entity->is_open = true;
        entity->made =
            LLVMDIBuilderCreateNameSpace(l->debug.builder, source_scope(l, s, source_number(s, entity->at, 3)),
                                         (const char *)name.data, name.size, 0);
        entity->is_open = false;
    }
    return entity->made;
}

/* ---- types ---- */

/* A size or alignment in bits, which is a whole number of bytes below 256 MiB; 0 for any other. */
static uint64_t bits_of(const struct debug_source *s, uint32_t at, unsigned index)
{
    uint64_t bits = source_number(s, at, index);
    return bits % 8 || bits >> 31 ? 0 : bits;
}

static LLVMMetadataRef basic_type(struct lower *l, struct debug_source *s, uint32_t at)
{
    static const struct named_number encodings[] = {
        {"Address", 1},        {"Boolean", 2},        {"ComplexFloat", 3},   {"Float", 4},
        {"Signed", 5},         {"SignedChar", 6},     {"Unsigned", 7},       {"UnsignedChar", 8},
        {"ImaginaryFloat", 9}, {"PackedDecimal", 10}, {"NumericString", 11}, {"EditedString", 12},
        {"SignedFixed", 13},   {"UnsignedFixed", 14}, {"DecimalFloat", 15},  {"UTF", 16}};
    struct bytes name = source_text(s, at, 6);
    unsigned encoding = number_of(source_text(s, at, 7), encodings, sizeof encodings / sizeof *encodings, 7);
    return LLVMDIBuilderCreateBasicType(
        l->debug.builder, (const char *)name.data, name.size, bits_of(s, at, 4), encoding, LLVMDIFlagZero);
}

static LLVMMetadataRef derived_type(struct lower *l, struct debug_source *s, uint32_t at)
{
    static const struct named_number qualifiers[] = {
        {"Const", TAG_CONST}, {"Volatile", TAG_VOLATILE}, {"Restrict", TAG_RESTRICT}};
    static const struct named_number pointers[] = {
        {"Pointer", TAG_POINTER}, {"Reference", TAG_POINTER}, {"RValue", TAG_POINTER}, {"PtrToMember", TAG_POINTER}};
    struct bytes tag = source_text(s, at, 7);
    LLVMMetadataRef from = source_type(l, s, source_number(s, at, 6));
    if (number_of(tag, pointers, sizeof pointers / sizeof *pointers, 0))
        return LLVMDIBuilderCreatePointerType(l->debug.builder, from, bits_of(s, at, 4), 0, 0, "", 0);
    unsigned qualifier = number_of(tag, qualifiers, sizeof qualifiers / sizeof *qualifiers, 0);
    return qualifier ? LLVMDIBuilderCreateQualifiedType(l->debug.builder, qualifier, from) : from;
}

/* The numbers in the list that operand INDEX names; at most ELEMENTS of them. */
static unsigned list_of(struct debug_source *s, uint32_t at, unsigned index, uint64_t *numbers)
{
    uint32_t list = source_entity_at(s, at, index, "List");
    unsigned count = 0;
    for (; list && count < ELEMENTS && source_operand(s, list, count + 3); count++)
        numbers[count] = source_number(s, list, count + 3);
    return count;
}

static LLVMMetadataRef indexable_type(struct lower *l, struct debug_source *s, uint32_t at)
{
    uint64_t numbers[ELEMENTS];
    LLVMMetadataRef ranges[ELEMENTS], base = source_type(l, s, source_number(s, at, 7));
    unsigned count = list_of(s, at, 8, numbers), used = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct source_entity *range = source_entity_of(s, numbers[i]);
        if (!range || !source_has_tag(s, range->at, 2, "Subrange"))
            continue;
        uint64_t elements = source_number(s, range->at, 4), first = source_number(s, range->at, 5);
        ranges[used++] =
            LLVMDIBuilderGetOrCreateSubrange(l->debug.builder, (int64_t)first, (int64_t)(elements << 1 >> 1));
    }
    if (!base || !used)
        return base;
    bool is_vector = source_has_tag(s, at, 9, "Vector") && used == 1;
    return (is_vector ? LLVMDIBuilderCreateVectorType
                      : LLVMDIBuilderCreateArrayType)(l->debug.builder, bits_of(s, at, 4), 0, base, ranges, used);
}

/* A structure may contain pointers to itself, so its members refer to a placeholder until it is complete. */
static LLVMMetadataRef composite_type(struct lower *l, struct debug_source *s, struct source_entity *entity)
{
    uint32_t at = entity->at;
    uint64_t numbers[ELEMENTS], offset = 0, size = bits_of(s, at, 4);
    LLVMMetadataRef members[ELEMENTS];
    bool is_union = source_has_tag(s, at, 8, "Union");
    struct source_place place = source_place_of(l, s, source_number(s, at, 6));
    LLVMDIBuilderRef builder = l->debug.builder;
    LLVMMetadataRef placeholder = LLVMDIBuilderCreateReplaceableCompositeType(
        builder, TAG_STRUCTURE, "", 0, l->debug.unit, place.file, place.line, 0, size, 0, LLVMDIFlagZero, "", 0);
    unsigned count = list_of(s, at, 7, numbers), used = 0;
    entity->made = placeholder;
    for (unsigned i = 0; i < count; i++) {
        const struct source_entity *member = source_entity_of(s, numbers[i]);
        LLVMMetadataRef type = source_type(l, s, numbers[i]);
        uint64_t bits = member ? bits_of(s, member->at, 4) : 0, align = member ? bits_of(s, member->at, 5) : 0;
        if (!type)
            continue;
        offset = is_union ? 0 : align ? (offset + align - 1) / align * align : offset;
        members[used++] = LLVMDIBuilderCreateMemberType(
            builder, placeholder, "", 0, place.file, place.line, bits, 0, offset, LLVMDIFlagZero, type);
        offset += bits;
    }
    LLVMMetadataRef made =
        is_union ? LLVMDIBuilderCreateUnionType(builder, l->debug.unit, "", 0, place.file, place.line, size, 0,
                                                LLVMDIFlagZero, members, used, 0, "", 0)
                 : LLVMDIBuilderCreateStructType(builder, l->debug.unit, "", 0, place.file, place.line, size, 0,
                                                 LLVMDIFlagZero, NULL, members, used, 0, NULL, "", 0);
    LLVMMetadataReplaceAllUsesWith(placeholder, made);
    return made;
}

static LLVMMetadataRef enumeration_type(struct lower *l, struct debug_source *s, uint32_t at)
{
    uint64_t numbers[ELEMENTS];
    LLVMMetadataRef values[ELEMENTS];
    struct bytes name = source_text(s, at, 4);
    struct source_place place = source_place_of(l, s, source_number(s, at, 5));
    unsigned count = list_of(s, at, 6, numbers), used = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct source_entity *value = source_entity_of(s, numbers[i]);
        char text[32] = "";
        if (!value || !source_has_tag(s, value->at, 2, "Enumerator"))
            continue;
        struct bytes is = source_text(s, value->at, 4), number = source_text(s, value->at, 5);
        memcpy(text, number.data, number.size < sizeof text - 1 ? number.size : sizeof text - 1);
        values[used++] =
            LLVMDIBuilderCreateEnumerator(l->debug.builder, (const char *)is.data, is.size, strtoll(text, NULL, 0), 0);
    }
    return LLVMDIBuilderCreateEnumerationType(l->debug.builder, l->debug.unit, (const char *)name.data, name.size,
                                              place.file, place.line, 32, 0, values, used, NULL);
}

static LLVMMetadataRef subprogram_type(struct lower *l, struct debug_source *s, uint32_t at)
{
    uint64_t numbers[ELEMENTS];
    LLVMMetadataRef types[ELEMENTS + 1] = {source_type(l, s, source_number(s, at, 4))};
    unsigned count = list_of(s, at, 5, numbers), used = 1;
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef type = source_type(l, s, numbers[i]);
        if (type)
            types[used++] = type;
    }
    return LLVMDIBuilderCreateSubroutineType(l->debug.builder, l->debug.file, types, used, LLVMDIFlagZero);
}

static LLVMMetadataRef make_type(struct lower *l, struct debug_source *s, struct source_entity *entity)
{
    uint32_t at = entity->at;
    if (source_has_tag(s, at, 2, "BasicType"))
        return basic_type(l, s, at);
    if (source_has_tag(s, at, 2, "DerivedType"))
        return derived_type(l, s, at);
    if (source_has_tag(s, at, 2, "IndexableType"))
        return indexable_type(l, s, at);
    if (source_has_tag(s, at, 2, "CompositeType"))
        return composite_type(l, s, entity);
    if (source_has_tag(s, at, 2, "EnumerationType"))
        return enumeration_type(l, s, at);
    return source_has_tag(s, at, 2, "SubprogramType") ? subprogram_type(l, s, at) : NULL;
}

/* Whether TYPE is the placeholder of a structure that is being made. */
static bool is_placeholder(const struct lower *l, LLVMMetadataRef type)
{
    for (unsigned i = 0; i < l->debug.depth; i++)
        if (l->debug.open[i]->made == type)
            return true;
    return false;
}

LLVMMetadataRef source_type(struct lower *l, struct debug_source *s, uint64_t number)
{
    enum { DEPTH = sizeof l->debug.open / sizeof *l->debug.open };
    struct source_entity *entity = source_entity_of(s, number);
    if (!entity || source_has_tag(s, entity->at, 2, "Namespace"))
        return NULL;
    if (entity->made || entity->is_open || l->debug.depth == DEPTH)
        return entity->made;
    entity->is_open = true;
    l->debug.open[l->debug.depth++] = entity;
    LLVMMetadataRef made = make_type(l, s, entity);
    l->debug.depth--;
    entity->is_open = false;
    /* A type that is only another name of a structure around it must not keep the placeholder, which is freed. */
    entity->made = is_placeholder(l, made) ? NULL : made;
    return made;
}
