/* SPDX-License-Identifier: MIT */
/* The one place where LLVM comes into the software GPU: its headers. */
#ifndef RUNTIME_GCN_JIT_LLVM_HEADERS_H
#define RUNTIME_GCN_JIT_LLVM_HEADERS_H

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#endif
