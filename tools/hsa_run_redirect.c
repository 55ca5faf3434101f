/* SPDX-License-Identifier: MIT */
/* Preloaded by hsa-run: the few paths at which programs look for a GPU's kernel driver lead into the tree of files
 * that hsa-run has made.
 *
 * Input: paths given to functions of libc, HSA_RUN_TREE. Output: what the function says of the path, or of its
 * counterpart in the tree. Invariant: other paths go through unchanged, and nothing else is intercepted, but for
 * hipHostUnregister() of HIP before 5.6, which aborts when a GPU has memory at the host's address. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static const char *tree;

__attribute__((constructor)) static void start(void)
{
    tree = getenv("HSA_RUN_TREE");
}

/* Returns PATH, or its counterpart in the tree, which is written to BUFFER. */
static const char *lead(const char *path, char buffer[PATH_MAX])
{
    static const char *const prefixes[] = {"/dev/kfd", "/sys/module/amdgpu", "/sys/class/kfd", "/sys/class/drm"};
    for (size_t i = 0; tree && path && i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(path, prefixes[i], length) || (path[length] && path[length] != '/'))
            continue;
        return snprintf(buffer, PATH_MAX, "%s%s", tree, path) < PATH_MAX ? buffer : path;
    }
    return path;
}

/* Declares the libc's function NAME as `real`, and a buffer for the path. */
#define REAL(type, name, ...)                                                                                          \
    static type (*real)(__VA_ARGS__);                                                                                  \
    char buffer[PATH_MAX];                                                                                             \
    if (!real)                                                                                                         \
    *(void **)(void *)&real = dlsym(RTLD_NEXT, #name)

/* Fetches the mode, an argument that open() only has when it may create a file. */
#define MODE(last)                                                                                                     \
    mode_t mode = 0;                                                                                                   \
    if (flags & (O_CREAT | __O_TMPFILE)) {                                                                             \
        va_list list;                                                                                                  \
        va_start(list, last);                                                                                          \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }

#define OPEN(name)                                                                                                     \
    EXPORT int name(const char *path, int flags, ...);                                                                 \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        MODE(flags)                                                                                                    \
        REAL(int, name, const char *, int, ...);                                                                       \
        return real(lead(path, buffer), flags, mode);                                                                  \
    }
OPEN(open)
OPEN(open64)
#undef OPEN

#define OPENAT(name)                                                                                                   \
    EXPORT int name(int folder, const char *path, int flags, ...);                                                     \
    int name(int folder, const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        MODE(flags)                                                                                                    \
        REAL(int, name, int, const char *, int, ...);                                                                  \
        return real(folder, lead(path, buffer), flags, mode);                                                          \
    }
OPENAT(openat)
OPENAT(openat64)
#undef OPENAT

/* Functions with the path first and one or two more arguments. */
#define PATH1(type, name, a)                                                                                           \
    EXPORT type name(const char *path, a x);                                                                           \
    type name(const char *path, a x)                                                                                   \
    {                                                                                                                  \
        REAL(type, name, const char *, a);                                                                             \
        return real(lead(path, buffer), x);                                                                            \
    }
#define PATH2(type, name, a, b)                                                                                        \
    EXPORT type name(const char *path, a x, b y);                                                                      \
    type name(const char *path, a x, b y)                                                                              \
    {                                                                                                                  \
        REAL(type, name, const char *, a, b);                                                                          \
        return real(lead(path, buffer), x, y);                                                                         \
    }
PATH1(int, __open_2, int)
PATH1(int, __open64_2, int)
PATH1(FILE *, fopen, const char *)
PATH1(FILE *, fopen64, const char *)
PATH1(int, access, int)
PATH1(int, stat, struct stat *)
PATH1(int, stat64, struct stat64 *)
PATH1(int, lstat, struct stat *)
PATH1(int, lstat64, struct stat64 *)
PATH2(ssize_t, readlink, char *, size_t)

/* Functions with a folder or a version before the path. */
#define AT(type, name, a)                                                                                              \
    EXPORT type name(int first, const char *path, a x);                                                                \
    type name(int first, const char *path, a x)                                                                        \
    {                                                                                                                  \
        REAL(type, name, int, const char *, a);                                                                        \
        return real(first, lead(path, buffer), x);                                                                     \
    }
#define AT2(type, name, a, b)                                                                                          \
    EXPORT type name(int first, const char *path, a x, b y);                                                           \
    type name(int first, const char *path, a x, b y)                                                                   \
    {                                                                                                                  \
        REAL(type, name, int, const char *, a, b);                                                                     \
        return real(first, lead(path, buffer), x, y);                                                                  \
    }
AT(int, __xstat, struct stat *) /* for programs built with a glibc before 2.33 */
AT(int, __xstat64, struct stat64 *)
AT(int, __lxstat, struct stat *)
AT(int, __lxstat64, struct stat64 *)
AT2(int, faccessat, int, int)
AT2(int, fstatat, struct stat *, int)
AT2(int, fstatat64, struct stat64 *, int)
AT2(ssize_t, readlinkat, char *, size_t)

EXPORT int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict to)
{
    REAL(int, statx, int, const char *, int, unsigned, struct statx *);
    return real(folder, lead(path, buffer), flags, mask, to);
}

EXPORT DIR *opendir(const char *path)
{
    REAL(DIR *, opendir, const char *);
    return real(lead(path, buffer));
}

typedef int (*filter)(const struct dirent *);
typedef int (*order)(const struct dirent **, const struct dirent **);

EXPORT int scandir(const char *restrict path, struct dirent ***restrict list, filter wanted, order before)
{
    REAL(int, scandir, const char *, struct dirent ***, filter, order);
    return real(lead(path, buffer), list, wanted, before);
}

EXPORT int hipHostUnregister(void *pointer);
int hipHostUnregister(void *pointer)
{
    enum { MENDED = 50600000, INVALID_VALUE = 1 };
    static int (*version)(int *), (*synchronize)(void), (*real)(void *);
    *(void **)(void *)&version = dlsym(RTLD_NEXT, "hipRuntimeGetVersion");
    *(void **)(void *)&synchronize = dlsym(RTLD_NEXT, "hipDeviceSynchronize");
    *(void **)(void *)&real = dlsym(RTLD_NEXT, "hipHostUnregister");
    int number = 0;
    if (!version || version(&number) || number >= MENDED || !synchronize)
        return real ? real(pointer) : INVALID_VALUE;
    return pointer ? synchronize() : INVALID_VALUE; /* memory needs no registering, so nothing is undone */
}
