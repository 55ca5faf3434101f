/* SPDX-License-Identifier: MIT */
/* Programs of HSA 1.0 provisional, over the finalizer and the executables of 1.2. */
#ifndef RUNTIME_PROVISIONAL_PROGRAM_H
#define RUNTIME_PROVISIONAL_PROGRAM_H

#include "runtime/provisional.h"

#include "support/vec.h"

enum { INFO_ALREADY_1P = 0x4000, INFO_OPTIONS_1P = 0x4001 };

/* The structures of include/hsa-1.0p/hsa_ext_finalize.h, which cannot be included beside hsa.h. */
struct brig_table_1p {
    uint32_t section_count;
    const void *section[];
};
struct directives_1p {
    uint64_t enabled;
    uint16_t break_exceptions, detect_exceptions;
    uint32_t max_dynamic_group_size, max_flat_grid_size, max_flat_workgroup_size, requested_workgroups;
    hsa_dim3_t required_grid_size, required_workgroup_size;
    uint8_t required_dim, reserved[75];
};
struct descriptor_1p {
    uint32_t code_type, group_size;
    uint64_t kernarg_size;
    uint32_t private_size, fbarriers;
    uint64_t code;
    uint8_t kernarg_alignment, group_alignment, private_alignment, wavefront_size;
    uint32_t call_convention;
    uint64_t module;
    uint32_t symbol;
    uint8_t profile, machine_model;
    uint16_t reserved1;
    uint64_t debug_information;
    char vendor[24], name[24];
    uint32_t hsail_major, hsail_minor;
    uint64_t reserved2;
    struct directives_1p directives;
};
struct request_1p {
    uint64_t module;
    uint32_t symbol, call_convention;
};
typedef int (*message_callback_1p)(uint64_t caller, uint64_t module, uint32_t statement, uint32_t indent,
                                   const char *message);

/* A module of one program, as the bytes of a BRIG module. */
struct module_1p {
    const struct brig_table_1p *table; /* the client's, or OWN */
    struct brig_table_1p *own;         /* one that the runtime has made, with its sections */
    struct program_1p *program;        /* the one that HANDLE is a module of */
    size_t size;                       /* of BYTES */
    uint64_t handle;
    char *bytes;
    const char *code, *data; /* sections */
    uint32_t code_size, data_size;
    uint32_t hsail[2]; /* its version, major and minor */
};

enum symbol_kind_1p { SYMBOL_OTHER_1P, SYMBOL_KERNEL_1P, SYMBOL_INDIRECT_1P, SYMBOL_VARIABLE_1P };

/* A kernel, function or variable of a module. */
struct symbol_1p {
    const struct module_1p *module;
    uint32_t offset;
    enum symbol_kind_1p kind;
    bool is_definition, of_module; /* it has module linkage */
    bool of_agent;                 /* a variable of which each agent has one */
    bool of_program;               /* a variable that all agents share */
    bool readonly;                 /* a variable of the readonly segment */
    char name[256];
};

/* A variable that the client has defined. */
struct defined_1p {
    struct symbol_1p symbol;
    hsa_agent_t agent; /* handle 0: all */
    void *address;
};

/* The descriptors of a kernel or function: one for each agent. */
struct descriptors_1p {
    const struct module_1p *module;
    uint32_t symbol;
    struct descriptor_1p *of_agent;
};

struct program_1p {
    uint64_t handle; /* first, as a program that was deserialized is given out by the address of its handle */
    pthread_mutex_t lock;
    hsa_ext_program_t program;
    hsa_profile_t profile;
    uint8_t machine_model;
    uint32_t agent_count;
    hsa_agent_t *agents;
    VEC(struct module_1p *) modules;
    VEC(struct defined_1p) defined;
    VEC(struct descriptors_1p) descriptors;
    struct directives_1p directives; /* of the finalization */
    hsa_executable_t executable;     /* handle 0: not finalized */
    bool keeps_code;                 /* of one agent: the code object is kept */
    hsa_code_object_t code;
};

/* What a finalization is to do, and what it says. */
struct finalization_1p {
    hsa_agent_t agent;
    size_t count;
    const struct request_1p *requests;
    const struct directives_1p *directives;
    const char *options;
    const struct request_1p *place; /* what the message is about */
    const char *message;            /* why it failed; NULL: nothing is to be said */
};

/* The program of that handle, or NULL. Its lock is held until program_1p_leave(). */
struct program_1p *program_1p_enter(uint64_t handle);
void program_1p_leave(struct program_1p *program);

/* The number of the agent in the program, or its count of agents. */
uint32_t program_1p_agent(const struct program_1p *program, hsa_agent_t agent);
const struct module_1p *program_1p_module(const struct program_1p *program, uint64_t handle);

/* Reads the entry at OFFSET; false if it is no kernel, function or variable. */
bool symbol_1p_read(const struct module_1p *module, uint32_t offset, struct symbol_1p *symbol);

/* Finds what defines SYMBOL in the program, which may be itself. */
bool symbol_1p_definition(const struct program_1p *program, const struct symbol_1p *symbol, struct symbol_1p *found);

/* Whether a module defines a variable that all agents share. */
bool program_1p_shares(const struct program_1p *program);

/* Calls CALLBACK, which may be NULL, with a text. */
void message_1p(message_callback_1p callback, uint64_t caller, const struct request_1p *place, const char *text);

/* A program without a handle, or NULL. Frees one, and the executables and modules that are in it. */
struct program_1p *program_1p_new(const hsa_agent_t *agents, uint32_t count, uint8_t machine_model, uint8_t profile);
void program_1p_free(struct program_1p *program);

/* Adds the module of TABLE to a program of which the lock is held, or that nobody else knows. */
int program_1p_add_module(struct program_1p *program, const struct brig_table_1p *table, uint64_t *handle);

/* Defines a variable that no module defines, and gives the address of one that has an address. AGENT is 0 for a
 * variable that all agents share. */
int program_1p_define(struct program_1p *program, const struct symbol_1p *symbol, hsa_agent_t agent, void *address);
int program_1p_address(const struct program_1p *program, const struct symbol_1p *symbol, hsa_agent_t agent,
                       void **address);

/* Fulfils the requests, and finalizes the program if that has not been done; tries again without the options. */
int program_1p_finalize(struct program_1p *program, struct finalization_1p *it);

/* The descriptors of a kernel or function, made when they are asked for first; NULL when memory is out. */
struct descriptor_1p *program_1p_descriptors(struct program_1p *program, const struct symbol_1p *symbol);

/* Finds the definition of what is requested; it has to be a kernel or an indirect function. */
bool program_1p_requested(const struct program_1p *program, const struct request_1p *request, struct symbol_1p *symbol);

/* Describes a kernel as the loader has placed it: sizes, alignments and the address of its code. */
void describe_kernel_1p(struct descriptor_1p *to, hsa_executable_symbol_t from);

/* A status of 1.2 as one that finalizations have. */
int finalization_status_1p(hsa_status_t status);

/* Ends the programs that are left, and the finalizations. */
void provisional_shut_down(void);
void finalizations_1p_shut_down(void);

#endif
