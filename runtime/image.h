/* SPDX-License-Identifier: MIT */
/* Images and samplers inside the runtime: what their handles stand for. */
#ifndef RUNTIME_IMAGE_H
#define RUNTIME_IMAGE_H

#include "runtime/agent.h"
#include "support/image_gfx9.h"

/* What images and samplers begin with. Kernels can write to the resource, so whatever the runtime relies on is not in
 * its memory. */
struct image_object {
    uint32_t *resource; /* for kernels; its address is the handle */
    struct agent *agent;
};

struct image {
    struct image_object object;
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

/* image.c, for sampler.c, too: live objects of one kind, by their handles. */
struct object_set {
    pthread_mutex_t lock;
    VEC(struct image_object *) sorted;
};

/* Gives OBJECT, which is of the kind of SET and of AGENT, a copy of the resource of WORDS dwords that kernels of AGENT
 * can read, and keeps it, which mem_free() is to release. Returns false if there are too many objects, or memory is
 * out. */
bool object_keep(struct object_set *set, struct image_object *object, struct agent *agent, const uint32_t *resource,
                 unsigned words);

/* The object of a handle of any value, or NULL if AGENT, which may be NULL, has none there. */
struct image_object *object_find(struct object_set *set, const struct agent *agent, uint64_t handle);

/* Ends such an object; false if there is none. */
bool object_destroy(struct object_set *set, const struct agent *agent, uint64_t handle);

/* Forgets all objects, whose resources are released together with all other memory. */
void object_set_shut_down(struct object_set *set);

#endif
