// SPDX-License-Identifier: MIT
// The programs as OpenCL C, for clang.
#include "work_item.h"

#include "hashes.cl"
#include "numbers.cl"
#include "shared.cl"
#include "sorts.cl"
#include "words.cl"
