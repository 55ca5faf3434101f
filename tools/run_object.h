/* SPDX-License-Identifier: MIT */
/* Arguments of a kernel that the runtime makes: images, samplers, signals and queues, as written on hsailrun's command
 * line. The words are those of HSAIL's constants (PRM 7.1.7, 7.1.8).
 *
 *     rwimg[4x3]:2d,rgba,unorm_int8       an image of zeros; roimg and woimg likewise
 *     roimg[16]:1d,r,float:iota           the channels of its texels, as the elements of a buffer are given
 *     roimg[8x8x2]:2da,rg,signed_int16:@file
 *     samp:normalized,linear,repeat       a sampler
 *     sig64:5                             a signal with this value
 *     queue   queue:128                   a queue of the agent, for 64 packets or as many; the kernel gets its address
 */
#ifndef TOOLS_RUN_OBJECT_H
#define TOOLS_RUN_OBJECT_H

#include "hsa/hsa_ext_image.h"
#include "support/cli.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum run_object_kind { RUN_OBJECT_NONE, RUN_OBJECT_IMAGE, RUN_OBJECT_SAMPLER, RUN_OBJECT_SIGNAL, RUN_OBJECT_QUEUE };

/* Where the memory of buffers and images comes from and goes to. */
struct run_memory {
    void *(*allocate)(void *context, size_t size); /* NULL: there is none */
    void (*release)(void *context, void *data);
    void *context;
};

struct run_object {
    enum run_object_kind kind;
    const char *word; /* "roimg" */
    hsa_access_permission_t access;
    hsa_ext_image_descriptor_t image;
    hsa_ext_sampler_descriptor_t sampler;
    const char *element;      /* of an image: the type of its channels in memory, "u8" */
    size_t size;              /* bytes of all texels of an image, without padding */
    const char *fill;         /* what follows the format of an image, "" for nothing */
    hsa_signal_value_t value; /* of a signal: before, and after run_object_read() */
    uint32_t packets;
    uint64_t handle; /* what the kernel gets; of a queue its address */
    void *memory;    /* of an image */
};

/* Reads TEXT. False if it does not begin with the word of an object, or if it is wrong: then *WHY says so, which is
 * NULL otherwise. */
bool run_object_parse(const char *text, struct run_object *object, const char **why);

/* Makes the object for AGENT, an image with the texels at DATA. Prints what went wrong and returns false;
 * run_object_free() must be called even then. */
bool run_object_make(const struct cli_program *program, hsa_agent_t agent, const struct run_memory *memory,
                     struct run_object *object, const void *data);

/* Fetches what the kernel has left: the texels of an image, to DATA, or the value of a signal. Prints what went wrong
 * and returns false. */
bool run_object_read(const struct cli_program *program, hsa_agent_t agent, struct run_object *object, void *data);

void run_object_free(hsa_agent_t agent, const struct run_memory *memory, struct run_object *object);

#endif
