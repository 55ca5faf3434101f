/* SPDX-License-Identifier: MIT */
/* Compiled code on disk; see code_cache.h.
 * Input: requests, object files. Output: files, and what they hold. Invariant: what is found is exactly what a process
 * of this user has kept: the directory and the file belong to the user and nobody else may write there, and the digest
 * of the contents is right. Programs with more rights than their caller keep and find nothing. */
#include "config.h"

#include "runtime/gcn/jit/code_cache.h"

#include "support/alloc.h"
#include "support/bytes.h"
#include "support/elf_note.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char magic[8] = "hsailJ2", suffix[] = ".code";
enum { FILE_MAX = 16 << 20, LIMIT_KIB = 64 << 10, NAME_SIZE = 2 * SHA256_DIGEST_LENGTH + sizeof suffix };

/* Until a file is complete, it is named by the process and a number. */
#define PARTIAL_NAME "hsail-new.%ld.%u"

/* What a file begins with. The object follows, which is read where it is and so must be aligned, and then the entries.
 */
struct code_header {
    char magic[8];
    uint64_t entries, size;
    uint8_t digest[SHA256_DIGEST_LENGTH]; /* of the key, and of what follows this header */
};
_Static_assert(sizeof(struct code_header) % 8 == 0, "headers of ELF come next");

/* The directory */

void code_cache_begin(void)
{
    const char *wish = secure_getenv("HSA_GCN_JIT_CACHE");
    char here[4096], path[8192];
    if (!wish || !*wish || *wish == '/' || !strcmp(wish, "off"))
        return;
    bool known = getcwd(here, sizeof here) && snprintf(path, sizeof path, "%s/%s", here, wish) < (int)sizeof path;
    setenv("HSA_GCN_JIT_CACHE", known ? path : "off", 1);
}

/* Opens the directory, which is made if need be and CREATE says so; -1 if it cannot be trusted. */
static int open_directory(bool create)
{
    const char *wish = secure_getenv("HSA_GCN_JIT_CACHE");
    const char *base = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    char path[4096];
    int length;
    struct stat status;
    if (getauxval(AT_SECURE) || (wish && !strcmp(wish, "off")))
        return -1;
    if (wish && *wish)
        length = snprintf(path, sizeof path, "%s", wish);
    else if (base && *base == '/')
        length = snprintf(path, sizeof path, "%s/hsail", base);
    else if (home && *home == '/')
        length = snprintf(path, sizeof path, "%s/.cache/hsail", home);
    else
        return -1;
    if (length < 0 || (size_t)length >= sizeof path)
        return -1;
    if (create) {
        char *slash = strrchr(path, '/');
        if (slash && slash != path && !(wish && *wish)) {
            *slash = 0;
            mkdir(path, 0700);
            *slash = '/';
        }
        mkdir(path, 0700);
    }
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory >= 0 && (fstat(directory, &status) || status.st_uid != geteuid() || (status.st_mode & 022))) {
        close(directory);
        directory = -1;
    }
    return directory;
}

static void name_of(const struct code_key *key, char name[NAME_SIZE])
{
    for (unsigned i = 0; i < SHA256_DIGEST_LENGTH; i++)
        snprintf(name + (size_t)2 * i, 3, "%02x", key->digest[i]);
    memcpy(name + (size_t)2 * SHA256_DIGEST_LENGTH, suffix, sizeof suffix);
}

/* Keys */

static void add_bytes(SHA2_CTX *s, const void *data, size_t size)
{
    SHA256Update(s, data, size);
}

/* Adds the contents of this program. */
static bool add_program(SHA2_CTX *s)
{
    static const size_t size = 1 << 16;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    char *buffer = file < 0 ? NULL : mem_alloc(size);
    ssize_t got = -1;
    while (buffer && (got = read(file, buffer, size)) > 0)
        add_bytes(s, buffer, (size_t)got);
    mem_free(buffer);
    if (file >= 0)
        close(file);
    return got == 0;
}

/* Adds what the linker has written into this program to tell it from others; false if it has written nothing. */
static bool add_build_id(SHA2_CTX *s)
{
    extern const uint8_t __ehdr_start[]; /* the header of ELF, and all of the file that is in memory after it */
    const Elf64_Ehdr *header = (const void *)__ehdr_start;
    const Elf64_Phdr *segment = (const void *)(__ehdr_start + header->e_phoff);
    struct bytes id;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        struct bytes beginning = {__ehdr_start, segment[i].p_filesz};
        if (segment[i].p_type == PT_LOAD && !segment[i].p_offset &&
            elf_find_note(beginning, "GNU", NT_GNU_BUILD_ID, &id)) {
            add_bytes(s, id.data, id.size);
            return true;
        }
    }
    return false;
}

/* Whether VALUE may be the high half of an address in the unit's code, which the next process has elsewhere: then
 * nobody would ever find what is kept. */
static bool may_be_address(uint64_t text, uint32_t value)
{
    return text >> 32 && value == (uint32_t)(text >> 32);
}

bool code_cache_key(const struct jit_engine *engine, const struct jit_request *request, const struct jit_op *ops,
                    const void *constants, const char *host, struct code_key *key)
{
    SHA2_CTX s;
    uint64_t numbers[] = {GCN_JIT_LAYOUT, request->flags, request->ops};
    bool addresses = false;
    int directory = open_directory(true);
    if (directory < 0)
        return false;
    close(directory);
    SHA256Init(&s);
    bool known = add_build_id(&s) || add_program(&s);
    add_bytes(&s, engine, sizeof *engine);
    add_bytes(&s, host, strlen(host) + 1);
    add_bytes(&s, numbers, sizeof numbers);
    add_bytes(&s, ops, request->ops * sizeof *ops);
    add_bytes(&s, constants, (size_t)4 * request->constant_words);
    SHA256Final(key->digest, &s);
    for (uint32_t i = 0; i < request->constant_words; i++)
        addresses |= may_be_address(request->text, load32((const char *)constants + (size_t)4 * i));
    return known && !addresses;
}

/* Files */

static void digest_of_file(const struct code_key *key, const void *data, size_t size,
                           uint8_t digest[SHA256_DIGEST_LENGTH])
{
    SHA2_CTX s;
    SHA256Init(&s);
    add_bytes(&s, key->digest, sizeof key->digest);
    add_bytes(&s, data, size);
    SHA256Final(digest, &s);
}

static bool read_all(int file, uint8_t *data, size_t size)
{
    while (size) {
        ssize_t got = read(file, data, size);
        if (got <= 0)
            return false;
        data += got;
        size -= (size_t)got;
    }
    return true;
}

/* Reads FILE, whose size and owner are known to be good, and checks it. */
static bool read_code(int file, size_t size, const struct code_key *key, struct kept_code *found)
{
    uint8_t *data = mem_alloc(size), digest[SHA256_DIGEST_LENGTH];
    struct code_header header;
    if (!data || !read_all(file, data, size)) {
        mem_free(data);
        return false;
    }
    memcpy(&header, data, sizeof header);
    size -= sizeof header;
    digest_of_file(key, data + sizeof header, size, digest);
    if (memcmp(header.magic, magic, sizeof magic) || memcmp(header.digest, digest, sizeof digest) ||
        header.entries > size || header.size != size - header.entries) {
        mem_free(data);
        return false;
    }
    *found =
        (struct kept_code){data + sizeof header + header.size, header.entries, data + sizeof header, header.size, data};
    return true;
}

bool code_cache_find(const struct code_key *key, struct kept_code *found)
{
    char name[NAME_SIZE];
    struct stat status;
    bool done = false;
    int directory = open_directory(false);
    if (directory < 0)
        return false;
    name_of(key, name);
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && !fstat(file, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        !(status.st_mode & 077) && status.st_size >= (off_t)sizeof(struct code_header) && status.st_size <= FILE_MAX)
        done = read_code(file, (size_t)status.st_size, key, found);
    if (done)
        futimens(file, NULL); /* it was used */
    if (file >= 0)
        close(file);
    close(directory);
    return done;
}

static bool write_all(int file, const void *data, size_t size)
{
    const char *at = data;
    while (size) {
        ssize_t put = write(file, at, size);
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

/* How many bytes the directory may have. */
static uint64_t size_limit(void)
{
    const char *wish = secure_getenv("HSA_GCN_JIT_CACHE_SIZE");
    char *end;
    unsigned long long value = wish ? strtoull(wish, &end, 10) : 0;
    return wish && *wish && !*end && value < UINT32_MAX ? value << 10 : (uint64_t)LIMIT_KIB << 10;
}

/* Whether NAME is that of a file which a process began, but did not live to complete. */
static bool is_left_over(const char *name, const struct stat *status)
{
    enum { HOUR = 3600 };
    unsigned number;
    long process;
    int end = 0;
    return sscanf(name, PARTIAL_NAME "%n", &process, &number, &end) == 2 && end && !name[end] &&
           time(NULL) - status->st_mtim.tv_sec > HOUR;
}

/* Returns the total size of the files; *OLDEST gets the name of the one that was not used for longest. Removes files
 * that will never be complete. */
static uint64_t look_around(DIR *list, char oldest[NAME_SIZE])
{
    uint64_t total = 0;
    struct timespec least = {0};
    struct stat status;
    rewinddir(list);
    *oldest = 0;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (fstatat(dirfd(list), entry->d_name, &status, AT_SYMLINK_NOFOLLOW))
            continue;
        if (is_left_over(entry->d_name, &status))
            unlinkat(dirfd(list), entry->d_name, 0);
        if (strlen(entry->d_name) != NAME_SIZE - 1 || strcmp(entry->d_name + NAME_SIZE - sizeof suffix, suffix))
            continue;
        total += (uint64_t)status.st_size;
        if (!*oldest || status.st_mtim.tv_sec < least.tv_sec ||
            (status.st_mtim.tv_sec == least.tv_sec && status.st_mtim.tv_nsec < least.tv_nsec)) {
            least = status.st_mtim;
            memcpy(oldest, entry->d_name, NAME_SIZE);
        }
    }
    return total;
}

void code_cache_trim(void)
{
    char oldest[NAME_SIZE];
    int directory = open_directory(false);
    DIR *list = directory < 0 ? NULL : fdopendir(directory);
    if (!list) {
        if (directory >= 0)
            close(directory);
        return;
    }
    while (look_around(list, oldest) > size_limit() && *oldest)
        if (unlinkat(dirfd(list), oldest, 0))
            break;
    closedir(list);
}

void code_cache_keep(const struct code_key *key, const struct kept_code *object)
{
    static unsigned number;
    char name[NAME_SIZE], temporary[64];
    struct code_header header = {.entries = object->entry_count, .size = object->object_size};
    SHA2_CTX s;
    int directory = open_directory(true);
    if (directory < 0)
        return;
    memcpy(header.magic, magic, sizeof magic);
    SHA256Init(&s);
    add_bytes(&s, key->digest, sizeof key->digest);
    add_bytes(&s, object->object, object->object_size);
    add_bytes(&s, object->entries, object->entry_count);
    SHA256Final(header.digest, &s);
    name_of(key, name);
    snprintf(temporary, sizeof temporary, PARTIAL_NAME, (long)getpid(),
             __atomic_fetch_add(&number, 1, __ATOMIC_RELAXED));
    int file = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0) {
        bool good = write_all(file, &header, sizeof header) && write_all(file, object->object, object->object_size) &&
                    write_all(file, object->entries, object->entry_count);
        close(file);
        if (!good || renameat(directory, temporary, directory, name))
            unlinkat(directory, temporary, 0);
    }
    close(directory);
}
