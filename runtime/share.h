/* SPDX-License-Identifier: MIT */
/* Memory that comes from other processes and from files, and the attributes of address ranges. */
#ifndef RUNTIME_SHARE_H
#define RUNTIME_SHARE_H

#include "runtime/core.h"

/* Unmaps what clients have mapped and left, and ends the sharing of their allocations. */
void shares_shut_down(void);

/* A sealed memory file of SIZE bytes, or -1. */
int share_file_new(size_t size);

/* Makes HANDLE lead other processes of the same user to FILE, which has SIZE bytes and stays open; MAGIC tells what it
 * holds. */
bool share_name_file(int file, uint32_t magic, size_t size, hsa_amd_ipc_memory_t *handle) MUST_CHECK;

/* Opens the file of a handle of any content, if it is sealed and has that size; -1 otherwise. */
int share_open_named(const hsa_amd_ipc_memory_t *handle, uint32_t magic, size_t size);

/* svm.c: all ranges have their default attributes again. */
void svm_shut_down(void);

#endif
