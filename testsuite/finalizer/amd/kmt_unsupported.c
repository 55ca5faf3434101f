/* SPDX-License-Identifier: MIT */
/* The functions of libhsakmt.so.1 that only GPUs need: AMD's runtime has to find their names to be loaded. They take
 * any arguments and answer that they are not supported. */
enum { NOT_SUPPORTED = 10 };

#define UNSUPPORTED(name)     \
    int name(void);           \
    int name(void)            \
    {                         \
        return NOT_SUPPORTED; \
    }
UNSUPPORTED(hsaKmtAllocQueueGWS)
UNSUPPORTED(hsaKmtCreateQueue)
UNSUPPORTED(hsaKmtDeregisterMemory)
UNSUPPORTED(hsaKmtDestroyQueue)
UNSUPPORTED(hsaKmtGetTileConfig)
UNSUPPORTED(hsaKmtGetXNACKMode)
UNSUPPORTED(hsaKmtMapMemoryToGPUNodes)
UNSUPPORTED(hsaKmtQueryPointerInfo)
UNSUPPORTED(hsaKmtRegisterGraphicsHandleToNodes)
UNSUPPORTED(hsaKmtRegisterMemoryWithFlags)
UNSUPPORTED(hsaKmtRegisterSharedHandle)
UNSUPPORTED(hsaKmtRegisterSharedHandleToNodes)
UNSUPPORTED(hsaKmtSVMGetAttr)
UNSUPPORTED(hsaKmtSVMSetAttr)
UNSUPPORTED(hsaKmtSetMemoryPolicy)
UNSUPPORTED(hsaKmtSetMemoryUserData)
UNSUPPORTED(hsaKmtSetQueueCUMask)
UNSUPPORTED(hsaKmtSetTrapHandler)
UNSUPPORTED(hsaKmtSetXNACKMode)
UNSUPPORTED(hsaKmtShareMemory)
UNSUPPORTED(hsaKmtUpdateQueue)
