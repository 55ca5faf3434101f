/* SPDX-License-Identifier: MIT */
/* Modules of HSA 1.0 provisional. */
#ifndef RUNTIME_PROVISIONAL_MODULE_H
#define RUNTIME_PROVISIONAL_MODULE_H

#include "runtime/provisional_program.h"

/* Makes MODULE of the client's sections; INVALID_ARGUMENT if they contradict themselves. */
hsa_status_t module_1p_make(struct module_1p *module, const struct brig_table_1p *table);
void module_1p_free(struct module_1p *module);

/* A copy with the same handle, which belongs to the program of FROM; NULL when memory is out. */
struct module_1p *module_1p_copy(const struct module_1p *from);

/* Makes a table of the sections of a BRIG module in SIZE bytes of any value, with a copy of them; INVALID_ARGUMENT if
 * they are none. */
hsa_status_t module_1p_table(const char *bytes, size_t size, struct brig_table_1p **result);

/* Makes a declaration of the definition of a variable. */
void module_1p_declare(struct module_1p *module, uint32_t symbol);

/* Reads the next symbol of the module from *AT on, and moves *AT after it; 0 is the beginning. */
bool module_1p_next(const struct module_1p *module, uint32_t *at, struct symbol_1p *found);

/* The name of the module, as the module statement has it. */
bool module_1p_name(const struct module_1p *module, char name[256]);

#endif
