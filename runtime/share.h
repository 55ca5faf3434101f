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

/* Whether FILE is such a file, so that no access to a mapping of it ends in SIGBUS. */
bool share_file_sealed(int file) MUST_CHECK;

/* vmem.c: whether ADDRESS is in a range that a client has reserved, and in which. */
bool vmem_reserved(const void *address, void **base, size_t *size);

/* vmem.c: ends all mappings, handles and reservations. */
void vmem_shut_down(void);

/* svm.c: all ranges have their default attributes again. */
void svm_shut_down(void);

/* Whether the client has set attributes of memory at ADDRESS; *EXTENT becomes the pages around it of which it has. */
bool svm_extent(uint64_t address, hsam_extent *extent);

#endif
