/* SPDX-License-Identifier: MIT */
/* Marks what the finalizer library exports; everything else is compiled hidden. */
#ifndef FINALIZER_EXPORT_H
#define FINALIZER_EXPORT_H

#define FINALIZER_EXPORT __attribute__((visibility("default")))

#endif
