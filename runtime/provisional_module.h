/* SPDX-License-Identifier: MIT */
/* Modules of HSA 1.0 provisional. */
#ifndef RUNTIME_PROVISIONAL_MODULE_H
#define RUNTIME_PROVISIONAL_MODULE_H

#include "runtime/provisional_program.h"

/* Makes MODULE of the client's sections; false if they contradict themselves or memory is out. */
bool module_1p_make(struct module_1p *module, const struct brig_table_1p *table);
void module_1p_free(struct module_1p *module);

/* The name of the module, as the module statement has it. */
bool module_1p_name(const struct module_1p *module, char name[256]);

#endif
