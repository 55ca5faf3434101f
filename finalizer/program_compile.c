/* SPDX-License-Identifier: MIT */
/* Compiles a program in this process: lowering, LLVM, linking, and the files that options ask for.
 * Input: a program whose modules are valid. Output: a code object in memory, or the first failure.
 * Invariant: a call leaves nothing except its result; several threads may compile at once. */
#include "finalizer/compiler.h"

#include "finalizer/link.h"
#include "finalizer/lower.h"
#include "support/textbuf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Writes a file that an option asked for; does nothing when PATH is "". */
static bool dump(struct llvm_session *session, const char *path, const void *data, size_t size)
{
    if (!*path)
        return true;
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(data, 1, size, file) == size;
    int error = errno;
    if (file && fclose(file) && written) {
        error = errno;
        written = false;
    }
    return written || llvm_fail(session, FILE_WRITE, path, strerror(error));
}

static bool dump_ir(struct llvm_session *session, const char *path)
{
    if (!*path)
        return true;
    char *text = LLVMPrintModuleToString(session->module);
    bool done = dump(session, path, text, strlen(text));
    LLVMDisposeMessage(text);
    return done;
}

/* Puts quotes around the names of kernels. LLVM prints them without quotes after this directive, but its assembler
 * demands quotes around a name with '&'. */
static void add_quotes(struct textbuf *quoted, const char *text)
{
    static const char directive[] = "\t.amdhsa_kernel ";
    for (const char *at = strstr(text, directive); at; at = strstr(text, directive)) {
        const char *name = at + strlen(directive), *end = name + strcspn(name, "\n"), *quote = *name == '"' ? "" : "\"";
        textbuf_add(quoted, text, (size_t)(name - text));
        textbuf_printf(quoted, "%s%.*s%s", quote, (int)(end - name), name, quote);
        text = end;
    }
    textbuf_puts(quoted, text);
}

/* Prints the assembly of a copy of the module, because printing consumes the module. */
static bool dump_isa(struct llvm_session *session, const char *path)
{
    if (!*path)
        return true;
    LLVMModuleRef module = session->module;
    session->module = LLVMCloneModule(module);
    LLVMMemoryBufferRef text = llvm_emit(session, true);
    LLVMDisposeModule(session->module);
    session->module = module;
    if (!text)
        return false;
    struct textbuf quoted = {0};
    add_quotes(&quoted, LLVMGetBufferStart(text)); /* LLVM ends this text with a NUL */
    LLVMDisposeMemoryBuffer(text);
    bool done = quoted.failed ? llvm_fail(session, OUT_OF_MEMORY) : dump(session, path, quoted.data, quoted.size);
    textbuf_free(&quoted);
    return done;
}

struct finalize_job {
    struct lower lower;
    const struct finalize_options *options;
    struct finalize_result *result;
};

static bool list_kernels(struct lower *l, struct link_kernels *kernels)
{
    struct link_kernel *items = arena_zalloc(&l->arena, l->callables.count + 1, sizeof *items);
    if (!items)
        return lower_no_memory(l);
    *kernels = (struct link_kernels){items, 0, l->e.target->processor->generation->sgpr_granule};
    for (size_t i = 0; i < l->callables.count; i++) {
        const struct callable *c = &l->callables.items[i];
        if (!c->is_kernel || !c->is_defined || c->share != l->share)
            continue;
        size_t size = strlen(c->symbol) + sizeof ".kd";
        char *name = arena_alloc(&l->arena, size);
        if (!name)
            return lower_no_memory(l);
        snprintf(name, size, "%s.kd", c->symbol);
        items[kernels->count++] = (struct link_kernel){name, c->is_dynamic, emit_exception_bits(c->breaks)};
    }
    return true;
}

/* The result of a share is its object, with what the linker would correct. */
static bool keep_object(struct llvm_session *session, struct finalize_job *job, LLVMMemoryBufferRef object,
                        struct link_kernels kernels)
{
    size_t size = LLVMGetBufferSize(object);
    uint8_t *copy = mem_alloc(size);
    if (!copy)
        return lower_no_memory(&job->lower);
    memcpy(copy, LLVMGetBufferStart(object), size);
    if (!link_correct(copy, size, kernels, &session->failure)) {
        mem_free(copy);
        return false;
    }
    job->result->image = copy;
    job->result->size = size;
    return true;
}

static bool link_object(struct llvm_session *session, struct finalize_job *job, LLVMMemoryBufferRef object)
{
    struct link_kernels kernels;
    if (!list_kernels(&job->lower, &kernels))
        return false;
    if (job->lower.share)
        return keep_object(session, job, object, kernels);
    struct bytes bytes = {(const uint8_t *)LLVMGetBufferStart(object), LLVMGetBufferSize(object)};
    uint8_t *aligned = NULL;
    if ((uintptr_t)bytes.data % 8) {
        aligned = mem_alloc(bytes.size);
        if (!aligned)
            return lower_no_memory(&job->lower);
        memcpy(aligned, bytes.data, bytes.size);
        bytes.data = aligned;
    }
    struct link_result linked = link_code_object(bytes, kernels);
    mem_free(aligned);
    if (!linked.image) {
        session->failure = linked.failure;
        return false;
    }
    if (!dump(session, job->options->dump_code, linked.image, linked.size)) {
        mem_free(linked.image);
        return false;
    }
    job->result->image = linked.image;
    job->result->size = linked.size;
    return true;
}

/* Carries out all steps that involve LLVM. */
static bool compile_program(struct llvm_session *session, void *data)
{
    struct finalize_job *job = data;
    emit_open(&job->lower.e, session, job->lower.e.target);
    job->lower.debug.wanted = job->options->lines;
    job->lower.debug.variables = job->options->variables;
    job->lower.debug.optimizes = job->options->optimize;
    job->lower.unwritten = job->options->unwritten;
    job->lower.promises = job->options->promises;
    job->lower.share = job->options->share;
    job->lower.shares = job->options->shares;
    session->piece = job->options->piece;
    debug_open(&job->lower);
    bool done = lower_program(&job->lower);
    debug_close(&job->lower);
    emit_close(&job->lower.e);
    if (!done || !dump_ir(session, job->options->dump_ir) ||
        ((job->lower.is_costly || job->options->quick) && !llvm_generate_quickly(session)) || !llvm_optimize(session) ||
        !dump_isa(session, job->options->dump_isa))
        return false;
    LLVMMemoryBufferRef object = llvm_emit(session, false);
    if (!object)
        return false;
    done = link_object(session, job, object);
    LLVMDisposeMemoryBuffer(object);
    return done;
}

/* Whether a module may ask for an extension. Vendors' extensions are accepted here, as AMD's compilers name AMD's in
 * every module: they only add instructions, and those are refused where they are used. IMAGE has the versions of
 * HSAIL. */
static bool is_known_extension(struct bytes name, const uint32_t version[2])
{
    if (bytes_are_text(name, "IMAGE"))
        return version[0] == HSA_BRIG_VERSION_HSAIL_MAJOR && version[1] <= HSA_BRIG_VERSION_HSAIL_MINOR;
    for (unsigned i = LANG_OP_COUNT_OF_HSAIL; i < LANG_OP_COUNT; i++)
        if (bytes_are_text(name, lang_op_at(i)->extension))
            return true;
    return bytes_are_text(name, "") || bytes_are_text(name, "CORE");
}

/* A finalizer must refuse extensions that it lacks (PRM 13.1). Extension directives come before everything that could
 * use them. */
static bool check_extensions(const struct brig_view *view, struct failure *failure)
{
    for (uint32_t at = brig_first_code(view); at < brig_end_code(view); at = brig_next_code(view, at)) {
        const hsa_brig_directive_extension_t *e = (const void *)brig_code(view, at);
        if (brig_is_executable(&e->base) || e->base.kind == HSA_BRIG_KIND_DIRECTIVE_VARIABLE)
            break;
        if (!brig_is_extension(&e->base))
            continue;
        uint32_t version[2];
        brig_extension_version(view, at, version);
        struct bytes name = brig_string(view, e->name);
        if (is_known_extension(name, version))
            continue;
        failure->offset = at;
        snprintf(failure->section, sizeof failure->section, "hsa_code");
        return failure_record(failure, EXTENSION_UNSUPPORTED, name.size < 256 ? (int)name.size : 256,
                              (const char *)name.data, version[0], version[1]);
    }
    return true;
}

hsa_status_t program_compile(const struct program *program, const struct target *target,
                             const struct control_set *control, const struct finalize_options *options,
                             struct finalize_result *result)
{
    struct target chosen = *target;
    memset(result, 0, sizeof *result);
    if (!options_apply(options, &chosen, &result->failure))
        return failure_status(&result->failure);
    for (size_t i = 0; i < program->modules.count; i++)
        if (!check_extensions(&program->modules.items[i].view, &result->failure)) {
            result->failure.module = (uint32_t)i + 1;
            return failure_status(&result->failure);
        }
    struct llvm_session *session = mem_zalloc(1, sizeof *session);
    struct finalize_job *job = mem_zalloc(1, sizeof *job);
    if (session && job) {
        job->options = options;
        job->result = result;
        lower_open(&job->lower, program);
        job->lower.control = control;
        job->lower.e.target = &chosen;
        if (!llvm_open(session, &chosen, options->optimize ? LLVM_LEVEL_DEFAULT : LLVM_LEVEL_NONE) ||
            !llvm_protect(session, compile_program, job))
            result->failure = job->lower.failure.message ? job->lower.failure : session->failure;
        result->is_broken = session->broken;
        result->remark = session->remark;
        lower_close(&job->lower);
        llvm_close(session);
    } else {
        failure_record(&result->failure, OUT_OF_MEMORY);
    }
    mem_free(job);
    mem_free(session);
    return failure_status(&result->failure);
}
