/* SPDX-License-Identifier: MIT */
/* Images and samplers inside the runtime: what their handles stand for. */
#ifndef RUNTIME_IMAGE_H
#define RUNTIME_IMAGE_H

#include "runtime/agent.h"
#include "support/image_gfx9.h"

/* An image. Its handle is the address of the resource, which kernels read. */
struct image {
    uint32_t resource[IMAGE_RESOURCE_WORDS];
    struct agent *agent;
    hsa_ext_image_descriptor_t is;
    struct image_layout layout;
    char *base;
};

/* image_format.c: what AGENT can do with images of GEOMETRY and FORMAT, hsa_ext_image_capability_t; 0: there are none.
 */
uint32_t image_capabilities(const struct agent *agent, hsa_ext_image_geometry_t geometry,
                            const hsa_ext_image_format_t *format);

/* Whether two channel orders are the same but for the sRGB curve. */
bool image_orders_match(uint32_t a, uint32_t b);

/* Whether AGENT has images at all. */
bool image_agent(const struct agent *agent);

/* The image of a handle of any value, if it is AGENT's; else NULL. */
struct image *image_find(const struct agent *agent, hsa_ext_image_t handle);

/* image.c, for hsa_agent_get_info(): true when ATTRIBUTE is one of images. */
bool image_attribute(const struct agent *agent, int attribute, void *value);

/* For the table of extensions. */
bool images_usable(void);
const void *images_table(void);

/* Forget the images and samplers that clients left, whose memory is released together with all other memory. */
void images_shut_down(void);
void samplers_shut_down(void);

/* sampler.c, image.c: live objects of one kind, by address. */
struct object_set {
    pthread_mutex_t lock;
    VEC(void *) sorted;
};

bool object_set_add(struct object_set *set, void *object);
void *object_set_find(struct object_set *set, uint64_t address, bool take_out);

/* Zeroed memory of SIZE bytes that kernels of AGENT can read, and its release. */
void *object_memory(struct agent *agent, size_t size);
void object_memory_free(void *memory);

#endif
