/* SPDX-License-Identifier: MIT */
/* Images and samplers of the HSA runtime. The conventions of hsa.h hold. (HSA 1.2; ROCR documentation 4.6) */
#ifndef HSA_HSA_EXT_IMAGE_H
#define HSA_HSA_EXT_IMAGE_H

#include "hsa/hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Continues hsa_status_t. */
enum {
    HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED = 0x3000,
    HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED = 0x3001,
    HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED = 0x3002,
    HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED = 0x3003
};

/* Further attributes of hsa_agent_get_info(). HSA says size_t; AMD's runtime, and so this one, writes uint32_t. */
enum {
    HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS = 0x3000,
    HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS = 0x3001,
    HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS = 0x3002,
    HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS = 0x3003,       /* uint32_t[2] */
    HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS = 0x3004,      /* uint32_t[2] */
    HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS = 0x3005,  /* uint32_t[2] */
    HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS = 0x3006, /* uint32_t[2] */
    HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS = 0x3007,       /* uint32_t[3] */
    HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS = 0x3008,
    HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES = 0x3009,
    HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES = 0x300A,
    HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS = 0x300B,
    HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT = 0x300C /* bytes */
};

typedef struct hsa_ext_image_s {
    uint64_t handle; /* what kernels take */
} hsa_ext_image_t;

typedef enum {
    HSA_EXT_IMAGE_GEOMETRY_1D = 0,
    HSA_EXT_IMAGE_GEOMETRY_2D = 1,
    HSA_EXT_IMAGE_GEOMETRY_3D = 2,
    HSA_EXT_IMAGE_GEOMETRY_1DA = 3,
    HSA_EXT_IMAGE_GEOMETRY_2DA = 4,
    HSA_EXT_IMAGE_GEOMETRY_1DB = 5,
    HSA_EXT_IMAGE_GEOMETRY_2DDEPTH = 6,
    HSA_EXT_IMAGE_GEOMETRY_2DADEPTH = 7
} hsa_ext_image_geometry_t;

typedef enum {
    HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT8 = 0,
    HSA_EXT_IMAGE_CHANNEL_TYPE_SNORM_INT16 = 1,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8 = 2,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT16 = 3,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT24 = 4,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_555 = 5,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565 = 6,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_101010 = 7,
    HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT8 = 8,
    HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT16 = 9,
    HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT32 = 10,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8 = 11,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16 = 12,
    HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32 = 13,
    HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT = 14,
    HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT = 15
} hsa_ext_image_channel_type_t;
typedef uint32_t hsa_ext_image_channel_type32_t;

typedef enum {
    HSA_EXT_IMAGE_CHANNEL_ORDER_A = 0,
    HSA_EXT_IMAGE_CHANNEL_ORDER_R = 1,
    HSA_EXT_IMAGE_CHANNEL_ORDER_RX = 2,
    HSA_EXT_IMAGE_CHANNEL_ORDER_RG = 3,
    HSA_EXT_IMAGE_CHANNEL_ORDER_RGX = 4,
    HSA_EXT_IMAGE_CHANNEL_ORDER_RA = 5,
    HSA_EXT_IMAGE_CHANNEL_ORDER_RGB = 6,
    HSA_EXT_IMAGE_CHANNEL_ORDER_RGBX = 7,
    HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA = 8,
    HSA_EXT_IMAGE_CHANNEL_ORDER_BGRA = 9,
    HSA_EXT_IMAGE_CHANNEL_ORDER_ARGB = 10,
    HSA_EXT_IMAGE_CHANNEL_ORDER_ABGR = 11,
    HSA_EXT_IMAGE_CHANNEL_ORDER_SRGB = 12,
    HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBX = 13,
    HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA = 14,
    HSA_EXT_IMAGE_CHANNEL_ORDER_SBGRA = 15,
    HSA_EXT_IMAGE_CHANNEL_ORDER_INTENSITY = 16,
    HSA_EXT_IMAGE_CHANNEL_ORDER_LUMINANCE = 17,
    HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH = 18,
    HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH_STENCIL = 19
} hsa_ext_image_channel_order_t;
typedef uint32_t hsa_ext_image_channel_order32_t;

typedef struct hsa_ext_image_format_s {
    hsa_ext_image_channel_type32_t channel_type;
    hsa_ext_image_channel_order32_t channel_order;
} hsa_ext_image_format_t;

/* What the geometry does not have is 0. */
typedef struct hsa_ext_image_descriptor_s {
    hsa_ext_image_geometry_t geometry;
    size_t width, height, depth; /* texels */
    size_t array_size;           /* layers */
    hsa_ext_image_format_t format;
} hsa_ext_image_descriptor_t;

typedef enum {
    HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED = 0,
    HSA_EXT_IMAGE_CAPABILITY_READ_ONLY = 1,
    HSA_EXT_IMAGE_CAPABILITY_WRITE_ONLY = 2,
    HSA_EXT_IMAGE_CAPABILITY_READ_WRITE = 4,
    HSA_EXT_IMAGE_CAPABILITY_READ_MODIFY_WRITE = 8,
    HSA_EXT_IMAGE_CAPABILITY_ACCESS_INVARIANT_DATA_LAYOUT = 16
} hsa_ext_image_capability_t;

typedef enum { HSA_EXT_IMAGE_DATA_LAYOUT_OPAQUE = 0, HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR = 1 } hsa_ext_image_data_layout_t;

typedef struct hsa_ext_image_data_info_s {
    size_t size, alignment; /* bytes */
} hsa_ext_image_data_info_t;

typedef struct hsa_ext_image_region_s {
    hsa_dim3_t offset, range; /* texels */
} hsa_ext_image_region_t;

typedef struct hsa_ext_sampler_s {
    uint64_t handle; /* what kernels take */
} hsa_ext_sampler_t;

typedef enum {
    HSA_EXT_SAMPLER_ADDRESSING_MODE_UNDEFINED = 0,
    HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE = 1,
    HSA_EXT_SAMPLER_ADDRESSING_MODE_CLAMP_TO_BORDER = 2,
    HSA_EXT_SAMPLER_ADDRESSING_MODE_REPEAT = 3,
    HSA_EXT_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT = 4
} hsa_ext_sampler_addressing_mode_t;
typedef uint32_t hsa_ext_sampler_addressing_mode32_t;

typedef enum {
    HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED = 0,
    HSA_EXT_SAMPLER_COORDINATE_MODE_NORMALIZED = 1
} hsa_ext_sampler_coordinate_mode_t;
typedef uint32_t hsa_ext_sampler_coordinate_mode32_t;

typedef enum {
    HSA_EXT_SAMPLER_FILTER_MODE_NEAREST = 0,
    HSA_EXT_SAMPLER_FILTER_MODE_LINEAR = 1
} hsa_ext_sampler_filter_mode_t;
typedef uint32_t hsa_ext_sampler_filter_mode32_t;

typedef struct hsa_ext_sampler_descriptor_s {
    hsa_ext_sampler_coordinate_mode32_t coordinate_mode;
    hsa_ext_sampler_filter_mode32_t filter_mode;
    hsa_ext_sampler_addressing_mode32_t address_mode;
} hsa_ext_sampler_descriptor_t;

/* With an addressing mode for each of X, Y and Z. */
typedef struct hsa_ext_sampler_descriptor_v2_s {
    hsa_ext_sampler_coordinate_mode32_t coordinate_mode;
    hsa_ext_sampler_filter_mode32_t filter_mode;
    hsa_ext_sampler_addressing_mode32_t address_modes[3];
} hsa_ext_sampler_descriptor_v2_t;

/* Writes what AGENT can do with images of GEOMETRY and IMAGE_FORMAT to CAPABILITY_MASK, a mask of
 * hsa_ext_image_capability_t. INVALID_AGENT. INVALID_ARGUMENT: also a GEOMETRY that does not exist. */
HSA_API hsa_status_t hsa_ext_image_get_capability(hsa_agent_t agent, hsa_ext_image_geometry_t geometry,
                                                  const hsa_ext_image_format_t *image_format,
                                                  uint32_t *capability_mask);

/* Writes the size and alignment of the memory that such an image takes. INVALID_AGENT, IMAGE_FORMAT_UNSUPPORTED,
 * IMAGE_SIZE_UNSUPPORTED. INVALID_ARGUMENT: also a descriptor that contradicts itself. */
HSA_API hsa_status_t hsa_ext_image_data_get_info(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                                 hsa_access_permission_t access_permission,
                                                 hsa_ext_image_data_info_t *image_data_info);

/* Makes an image in the memory at IMAGE_DATA, which it neither reads nor changes. Statuses as above; INVALID_ARGUMENT:
 * also a wrong alignment. OUT_OF_RESOURCES. */
HSA_API hsa_status_t hsa_ext_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                          const void *image_data, hsa_access_permission_t access_permission,
                                          hsa_ext_image_t *image);

/* Ends the image; its memory stays. INVALID_AGENT. INVALID_ARGUMENT: there is no such image of AGENT. */
HSA_API hsa_status_t hsa_ext_image_destroy(hsa_agent_t agent, hsa_ext_image_t image);

/* Copies texels between images of the same format, s-form or not, and any geometries. INVALID_AGENT. INVALID_ARGUMENT:
 * also other formats, and what lies outside an image. */
HSA_API hsa_status_t hsa_ext_image_copy(hsa_agent_t agent, hsa_ext_image_t src_image, const hsa_dim3_t *src_offset,
                                        hsa_ext_image_t dst_image, const hsa_dim3_t *dst_offset,
                                        const hsa_dim3_t *range);

/* Copies texels from memory into an image, and out of one. A pitch that is too small counts as the smallest that is
 * not. In a region Z is a layer; of one-dimensional arrays Y and Z both count layers. Statuses as above. */
HSA_API hsa_status_t hsa_ext_image_import(hsa_agent_t agent, const void *src_memory, size_t src_row_pitch,
                                          size_t src_slice_pitch, hsa_ext_image_t dst_image,
                                          const hsa_ext_image_region_t *image_region);
HSA_API hsa_status_t hsa_ext_image_export(hsa_agent_t agent, hsa_ext_image_t src_image, void *dst_memory,
                                          size_t dst_row_pitch, size_t dst_slice_pitch,
                                          const hsa_ext_image_region_t *image_region);

/* Sets texels to the components at DATA: four, of depth images one, of type float, int32_t or uint32_t as the channel
 * type has it; of s-forms before the curve is applied. Statuses as above. */
HSA_API hsa_status_t hsa_ext_image_clear(hsa_agent_t agent, hsa_ext_image_t image, const void *data,
                                         const hsa_ext_image_region_t *image_region);

/* Makes a sampler. INVALID_AGENT. SAMPLER_DESCRIPTOR_UNSUPPORTED: a value that does not exist, or repetition of
 * unnormalized coordinates. OUT_OF_RESOURCES. */
HSA_API hsa_status_t hsa_ext_sampler_create(hsa_agent_t agent, const hsa_ext_sampler_descriptor_t *sampler_descriptor,
                                            hsa_ext_sampler_t *sampler);
HSA_API hsa_status_t hsa_ext_sampler_create_v2(
    hsa_agent_t agent, const hsa_ext_sampler_descriptor_v2_t *sampler_descriptor, hsa_ext_sampler_t *sampler);

/* INVALID_AGENT. INVALID_ARGUMENT: there is no such sampler of AGENT. */
HSA_API hsa_status_t hsa_ext_sampler_destroy(hsa_agent_t agent, hsa_ext_sampler_t sampler);

/* The same with a layout that is said, which must be LINEAR (else INVALID_ARGUMENT), and with pitches in bytes, 0 for
 * the smallest. IMAGE_PITCH_UNSUPPORTED: also a slice pitch that is not the row pitch times the rows. */
HSA_API hsa_status_t hsa_ext_image_get_capability_with_layout(
    hsa_agent_t agent, hsa_ext_image_geometry_t geometry, const hsa_ext_image_format_t *image_format,
    hsa_ext_image_data_layout_t image_data_layout, uint32_t *capability_mask);
HSA_API hsa_status_t hsa_ext_image_data_get_info_with_layout(
    hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor, hsa_access_permission_t access_permission,
    hsa_ext_image_data_layout_t image_data_layout, size_t image_data_row_pitch, size_t image_data_slice_pitch,
    hsa_ext_image_data_info_t *image_data_info);
HSA_API hsa_status_t hsa_ext_image_create_with_layout(
    hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor, const void *image_data,
    hsa_access_permission_t access_permission, hsa_ext_image_data_layout_t image_data_layout,
    size_t image_data_row_pitch, size_t image_data_slice_pitch, hsa_ext_image_t *image);

/* The tables of functions: version 1.0, and the highest version 1. */
#define hsa_ext_images_1_00
typedef struct hsa_ext_images_1_00_pfn_s {
    hsa_status_t (*hsa_ext_image_get_capability)(hsa_agent_t agent, hsa_ext_image_geometry_t geometry,
                                                 const hsa_ext_image_format_t *image_format, uint32_t *capability_mask);
    hsa_status_t (*hsa_ext_image_data_get_info)(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                                hsa_access_permission_t access_permission,
                                                hsa_ext_image_data_info_t *image_data_info);
    hsa_status_t (*hsa_ext_image_create)(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                         const void *image_data, hsa_access_permission_t access_permission,
                                         hsa_ext_image_t *image);
    hsa_status_t (*hsa_ext_image_destroy)(hsa_agent_t agent, hsa_ext_image_t image);
    hsa_status_t (*hsa_ext_image_copy)(hsa_agent_t agent, hsa_ext_image_t src_image, const hsa_dim3_t *src_offset,
                                       hsa_ext_image_t dst_image, const hsa_dim3_t *dst_offset,
                                       const hsa_dim3_t *range);
    hsa_status_t (*hsa_ext_image_import)(hsa_agent_t agent, const void *src_memory, size_t src_row_pitch,
                                         size_t src_slice_pitch, hsa_ext_image_t dst_image,
                                         const hsa_ext_image_region_t *image_region);
    hsa_status_t (*hsa_ext_image_export)(hsa_agent_t agent, hsa_ext_image_t src_image, void *dst_memory,
                                         size_t dst_row_pitch, size_t dst_slice_pitch,
                                         const hsa_ext_image_region_t *image_region);
    hsa_status_t (*hsa_ext_image_clear)(hsa_agent_t agent, hsa_ext_image_t image, const void *data,
                                        const hsa_ext_image_region_t *image_region);
    hsa_status_t (*hsa_ext_sampler_create)(hsa_agent_t agent, const hsa_ext_sampler_descriptor_t *sampler_descriptor,
                                           hsa_ext_sampler_t *sampler);
    hsa_status_t (*hsa_ext_sampler_destroy)(hsa_agent_t agent, hsa_ext_sampler_t sampler);
} hsa_ext_images_1_00_pfn_t;

#define hsa_ext_images_1
typedef struct hsa_ext_images_1_pfn_s {
    hsa_status_t (*hsa_ext_image_get_capability)(hsa_agent_t agent, hsa_ext_image_geometry_t geometry,
                                                 const hsa_ext_image_format_t *image_format, uint32_t *capability_mask);
    hsa_status_t (*hsa_ext_image_data_get_info)(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                                hsa_access_permission_t access_permission,
                                                hsa_ext_image_data_info_t *image_data_info);
    hsa_status_t (*hsa_ext_image_create)(hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
                                         const void *image_data, hsa_access_permission_t access_permission,
                                         hsa_ext_image_t *image);
    hsa_status_t (*hsa_ext_image_destroy)(hsa_agent_t agent, hsa_ext_image_t image);
    hsa_status_t (*hsa_ext_image_copy)(hsa_agent_t agent, hsa_ext_image_t src_image, const hsa_dim3_t *src_offset,
                                       hsa_ext_image_t dst_image, const hsa_dim3_t *dst_offset,
                                       const hsa_dim3_t *range);
    hsa_status_t (*hsa_ext_image_import)(hsa_agent_t agent, const void *src_memory, size_t src_row_pitch,
                                         size_t src_slice_pitch, hsa_ext_image_t dst_image,
                                         const hsa_ext_image_region_t *image_region);
    hsa_status_t (*hsa_ext_image_export)(hsa_agent_t agent, hsa_ext_image_t src_image, void *dst_memory,
                                         size_t dst_row_pitch, size_t dst_slice_pitch,
                                         const hsa_ext_image_region_t *image_region);
    hsa_status_t (*hsa_ext_image_clear)(hsa_agent_t agent, hsa_ext_image_t image, const void *data,
                                        const hsa_ext_image_region_t *image_region);
    hsa_status_t (*hsa_ext_sampler_create)(hsa_agent_t agent, const hsa_ext_sampler_descriptor_t *sampler_descriptor,
                                           hsa_ext_sampler_t *sampler);
    hsa_status_t (*hsa_ext_sampler_destroy)(hsa_agent_t agent, hsa_ext_sampler_t sampler);
    hsa_status_t (*hsa_ext_image_get_capability_with_layout)(
        hsa_agent_t agent, hsa_ext_image_geometry_t geometry, const hsa_ext_image_format_t *image_format,
        hsa_ext_image_data_layout_t image_data_layout, uint32_t *capability_mask);
    hsa_status_t (*hsa_ext_image_data_get_info_with_layout)(
        hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor,
        hsa_access_permission_t access_permission, hsa_ext_image_data_layout_t image_data_layout,
        size_t image_data_row_pitch, size_t image_data_slice_pitch, hsa_ext_image_data_info_t *image_data_info);
    hsa_status_t (*hsa_ext_image_create_with_layout)(
        hsa_agent_t agent, const hsa_ext_image_descriptor_t *image_descriptor, const void *image_data,
        hsa_access_permission_t access_permission, hsa_ext_image_data_layout_t image_data_layout,
        size_t image_data_row_pitch, size_t image_data_slice_pitch, hsa_ext_image_t *image);
} hsa_ext_images_1_pfn_t;

#ifdef __cplusplus
}
#endif

#endif
