/* SPDX-License-Identifier: MIT */
/* Questions of the lowering about HSAIL data types, as short functions over the rows of brig/tables/type.def. */
#ifndef FINALIZER_TYPE_H
#define FINALIZER_TYPE_H

#include "brig/language.h"

/* The row of a type code, whose array bit is ignored; the row of NONE if there is no such type. */
static inline const struct lang_type *type_row(unsigned type)
{
    const struct lang_type *row = lang_type(type);
    return row ? row : lang_type(HSA_BRIG_TYPE_NONE);
}

static inline unsigned type_bits(unsigned type)
{
    return type_row(type)->bits;
}
static inline unsigned type_count(unsigned type)
{
    return type_row(type)->count;
}
static inline unsigned type_element(unsigned type)
{
    return type_row(type)->element;
}
static inline bool type_is_float(unsigned type)
{
    return type_row(type)->class_ == LANG_CLASS_FLOAT;
}
static inline bool type_is_signed(unsigned type)
{
    return type_row(type)->class_ == LANG_CLASS_SIGNED;
}
static inline bool type_is_packed(unsigned type)
{
    return type_row(type)->count > 1;
}
static inline unsigned type_scalar(unsigned type)
{
    return type & ~(unsigned)HSA_BRIG_TYPE_CLASS_ARRAY;
}

#endif
