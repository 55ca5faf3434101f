/* SPDX-License-Identifier: MIT */
/* Every operation that LLVM emits for gfx900 (emitted_ops.txt lists them, the most frequent first) must have a handler
 * for each instruction set of the host. Operations on images and formatted buffers, and those of global wave sync, need
 * not have one here. */
#include "runtime/gcn/wave_run.h"
#include "testsuite/gcn/each_engine.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

/* GLOBAL and SCRATCH forms are rows of FLAT. */
static int find(const char *name)
{
    char flat[64];
    const char *rest = strchr(name, '_');
    if (rest && (!strncmp(name, "global_", 7) || !strncmp(name, "scratch_", 8)))
        snprintf(flat, sizeof flat, "flat%s", rest);
    else
        snprintf(flat, sizeof flat, "%s", name);
    for (int id = 0; id < GCN_OP_COUNT; id++)
        if (!strcmp(gcn_op_info[id].name, flat))
            return id;
    return -1;
}

static bool is_branch(int id)
{
    for (const struct gcn_branch_handlers *row = gcn_control_branches; row->forward; row++)
        if (row->id == id)
            return true;
    return false;
}

/* Whether the translator makes nothing of the operation, without a handler. */
static bool is_nothing_to_do(int id)
{
    static const char *const names[] = {
        "s_nop", "s_wakeup", "s_setprio", "s_icache_inv", "s_incperflevel", "s_decperflevel", "s_ttracedata"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(gcn_op_info[id].name, names[i]))
            return true;
    return !strncmp(gcn_op_info[id].name, "s_cbranch_cdbg", 14);
}

/* Prints the operations of TARGET that are not executed; they must be those of graphics, and no others:
 * doc/decisions/gcn-missing.md. */
static void check_missing(const struct gcn_engine *engine, unsigned target)
{
    unsigned executed = 0, missing = 0;
    const char *processor = gcn_target_number(target)->processor->name;
    for (int id = 0; id < GCN_OP_COUNT; id++) {
        const struct gcn_op_info *info = &gcn_op_info[id];
        bool there = engine->plain[id] || is_branch(id) || is_nothing_to_do(id);
        bool graphics = info->flags & GCN_F_GRAPHICS;
        if (!(info->targets >> target & 1))
            continue;
        missing += !there && !graphics;
        executed += there && graphics;
        if (!there)
            printf("# %s, %s: not executed: %s%s\n", engine->name, processor, info->name,
                   graphics ? " (graphics)" : "");
    }
    ok(!missing && !executed, "%s, %s: %u operations are not executed, and %u of graphics are", engine->name, processor,
       missing, executed);
}

int main(void)
{
    char path[4096], name[64];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/testsuite/gcn/emitted_ops.txt", srcdir ? srcdir : ".");
    unsigned next = 0;
    for (const struct gcn_engine *engine; (engine = each_engine(&next));) {
        unsigned total = 0, missing = 0;
        FILE *file = fopen(path, "r");
        if (!ok(file != NULL, "%s", path))
            break;
        while (fscanf(file, "%63s", name) == 1) {
            int id = find(name);
            total++;
            if (id >= 0 && (engine->plain[id] || is_branch(id) || id == GCN_OP_s_nop))
                continue;
            printf("# no handler: %s\n", name);
            missing++;
        }
        fclose(file);
        for (unsigned t = 0; t < GCN_TARGET_COUNT; t++)
            check_missing(engine, t);
        ok(missing == 0 && total > 500, "%s: %u of %u emitted operations have no handler", engine->name, missing,
           total);
    }
    return tap_done();
}
