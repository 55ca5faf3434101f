/* SPDX-License-Identifier: MIT */
/* Checks a launch; see run_launch.h.
 * Input: the arguments and sizes of the command line, the kernel's signature. Output: a checked launch, or messages.
 * Invariant: nothing is stored outside the kernel's kernarg segment, whatever its metadata says. */
#include "tools/run_launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Prints the kernel's signature after an error message. Always returns false. */
static bool refused_launch(const struct run_kernel *kernel)
{
    fflush(stdout);
    if (cli_uses_json()) {
        struct textbuf json = {0};
        textbuf_puts(&json, "{\"kind\":\"kernel\"");
        textbuf_json_member(&json, "kernel", kernel->name);
        run_signature_json(&kernel->signature, &json);
        textbuf_puts(&json, "}\n");
        if (!json.failed)
            fwrite(json.data, 1, json.size, stderr);
        textbuf_free(&json);
        return false;
    }
    fprintf(stderr, "the kernel is ");
    run_signature_print(&kernel->signature, kernel->name, stderr);
    fputc('\n', stderr);
    return false;
}

/* ---- sizes ---- */

static bool same_sizes(const struct cli_program *program, const char *option, const char *directive,
                       const uint64_t given[3], const uint64_t required[3])
{
    if (!memcmp(given, required, 3 * sizeof *given))
        return true;
    cli_error(program,
              "--%s says %" PRIu64 ",%" PRIu64 ",%" PRIu64 ", but the kernel's %s says %" PRIu64 ",%" PRIu64
              ",%" PRIu64,
              option, given[0], given[1], given[2], directive, required[0], required[1], required[2]);
    return false;
}

static bool settle_grid(const struct cli_program *program, const struct run_limits *limits,
                        struct run_dispatch *dispatch)
{
    bool given = dispatch->dimensions;
    if (!given) {
        dispatch->dimensions = limits->dimensions ? limits->dimensions : 1;
        for (unsigned i = 0; i < 3; i++) {
            dispatch->grid[i] = 1;
            if (limits->grid[0] && limits->grid[i] <= UINT32_MAX)
                dispatch->grid[i] = (uint32_t)limits->grid[i];
            else if (dispatch->group[0]) /* the grid is one work-group */
                dispatch->grid[i] = dispatch->group[i];
            else if (limits->group[0])
                dispatch->grid[i] = limits->group[i];
            if (dispatch->grid[i] > 1 && !limits->dimensions)
                dispatch->dimensions = i + 1;
        }
    }
    if (limits->dimensions && dispatch->dimensions != limits->dimensions) {
        cli_error(program, "--grid has %u dimension%s, but the kernel's requireddim says %" PRIu32,
                  dispatch->dimensions, dispatch->dimensions == 1 ? "" : "s", limits->dimensions);
        return false;
    }
    const uint64_t grid[3] = {dispatch->grid[0], dispatch->grid[1], dispatch->grid[2]};
    return !limits->grid[0] || same_sizes(program, "grid", "requiredgridsize", grid, limits->grid);
}

/* Chooses a group when the command line names none: the usual sizes, within the grid and the kernel's limit. */
static void choose_group(const struct run_limits *limits, struct run_dispatch *dispatch)
{
    static const uint16_t usual[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
    uint32_t left = limits->flat_group ? limits->flat_group : UINT32_MAX;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t size = usual[dispatch->dimensions - 1][i];
        size = dispatch->grid[i] < size ? dispatch->grid[i] : size;
        size = size > left ? left : size;
        dispatch->group[i] = (uint16_t)size;
        left /= size;
    }
}

static bool settle_group(const struct cli_program *program, const struct run_limits *limits,
                         struct run_dispatch *dispatch)
{
    if (!dispatch->group[0] && limits->group[0])
        for (unsigned i = 0; i < 3; i++)
            dispatch->group[i] = (uint16_t)limits->group[i];
    else if (!dispatch->group[0])
        choose_group(limits, dispatch);
    const uint64_t group[3] = {dispatch->group[0], dispatch->group[1], dispatch->group[2]};
    const uint64_t required[3] = {limits->group[0], limits->group[1], limits->group[2]};
    if (limits->group[0] && !same_sizes(program, "group", "requiredworkgroupsize", group, required))
        return false;
    for (unsigned i = dispatch->dimensions; i < 3; i++)
        if (dispatch->group[i] != 1) {
            cli_error(program, "the %s %u,%u,%u has more dimensions than the grid, which has %u",
                      limits->group[0] ? "kernel's requiredworkgroupsize" : "work-group", dispatch->group[0],
                      dispatch->group[1], dispatch->group[2], dispatch->dimensions);
            return false;
        }
    return true;
}

static bool within(const struct cli_program *program, const char *what, uint64_t value, const char *directive,
                   uint64_t limit)
{
    if (value <= limit)
        return true;
    cli_error(program, "%s %" PRIu64 ", but the kernel's %s says %" PRIu64, what, value, directive, limit);
    return false;
}

/* Returns UINT64_MAX when the product does not fit 64 bits: it then exceeds every limit anyway. */
static uint64_t size_product(const uint64_t sizes[3])
{
    uint64_t items;
    return __builtin_mul_overflow(sizes[0], sizes[1], &items) || __builtin_mul_overflow(items, sizes[2], &items)
               ? UINT64_MAX
               : items;
}

/* Whether the sizes that the kernel requires are within its own limits and the agent's. The validator only warns when
 * they are not, and the metadata of a code object may say anything. */
static bool possible(const struct cli_program *program, uint32_t most, const struct run_limits *limits)
{
    uint64_t grid = size_product(limits->grid);
    uint64_t group = size_product((uint64_t[]){limits->group[0], limits->group[1], limits->group[2]});
    if (limits->flat_grid && grid > limits->flat_grid)
        cli_error(program,
                  "the kernel cannot run: its requiredgridsize is %" PRIu64 " work-items, its maxflatgridsize %" PRIu64,
                  grid, limits->flat_grid);
    else if (limits->flat_group && group > limits->flat_group)
        cli_error(program,
                  "the kernel cannot run: its requiredworkgroupsize is %" PRIu64 " work-items, "
                  "its maxflatworkgroupsize %" PRIu32,
                  group, limits->flat_group);
    else if (group > most)
        cli_error(program,
                  "the kernel cannot run: its requiredworkgroupsize is %" PRIu64 " work-items, "
                  "and a group of this agent has at most %" PRIu32,
                  group, most);
    else if ((limits->group[0] || limits->group[1] || limits->group[2]) && !group)
        cli_error(program, "the kernel cannot run: its requiredworkgroupsize is %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                  limits->group[0], limits->group[1], limits->group[2]);
    else
        return true;
    return false;
}

bool run_launch_sizes(const struct cli_program *program, hsa_agent_t agent, const struct run_kernel *kernel,
                      struct run_dispatch *dispatch)
{
    const struct run_limits *limits = &kernel->signature.limits;
    uint32_t most = UINT32_MAX;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_WORKGROUP_MAX_SIZE, &most);
    if (!possible(program, most, limits) || !settle_grid(program, limits, dispatch) ||
        !settle_group(program, limits, dispatch))
        return refused_launch(kernel);
    uint64_t items = size_product((uint64_t[]){dispatch->grid[0], dispatch->grid[1], dispatch->grid[2]});
    uint64_t flat = (uint64_t)dispatch->group[0] * dispatch->group[1] * dispatch->group[2];
    if (flat > most) {
        cli_error(program, "work-items of a group: %" PRIu64 ", but a group of this agent has at most %" PRIu32, flat,
                  most);
        return false;
    }
    if ((limits->flat_grid && !within(program, "work-items:", items, "maxflatgridsize", limits->flat_grid)) ||
        (limits->flat_group &&
         !within(program, "work-items of a group:", flat, "maxflatworkgroupsize", limits->flat_group)) ||
        (limits->dynamic_group && !within(program, "bytes of dynamic group memory:", dispatch->extra_group,
                                          "maxdynamicgroupsize", limits->dynamic_group - 1)))
        return refused_launch(kernel);
    for (unsigned i = 0; i < 3 && limits->whole_groups; i++)
        if (dispatch->grid[i] % dispatch->group[i]) {
            cli_error(program,
                      "a grid of %" PRIu32 " is no multiple of groups of %u, but the kernel's "
                      "requirenopartialworkgroups wants one in each dimension",
                      dispatch->grid[i], dispatch->group[i]);
            return refused_launch(kernel);
        }
    return true;
}

/* ---- arguments ---- */

/* Returns the formal argument that argument number WANTED, counted from 0, belongs to, and sets *OFFSET to its place;
 * NULL when there are fewer arguments. */
static const struct run_formal *formal_of(const struct run_signature *signature, size_t wanted, uint64_t *offset)
{
    for (size_t i = 0; i < signature->formals.count; i++) {
        const struct run_formal *formal = &signature->formals.items[i];
        if (formal->kind == RUN_FORMAL_HIDDEN)
            continue;
        if (wanted < formal->count) {
            *offset = formal->offset + wanted * formal->bytes;
            return formal;
        }
        wanted -= formal->count;
    }
    return NULL;
}

static size_t formal_count(const struct run_signature *signature)
{
    size_t count = 0;
    for (size_t i = 0; i < signature->formals.count; i++)
        if (signature->formals.items[i].kind != RUN_FORMAL_HIDDEN)
            count += signature->formals.items[i].count;
    return count;
}

/* Returns where the arguments end when each lies at a multiple of its size, and stores them when TO is not NULL. This
 * is a guess for kernels that neither a module nor metadata describes. */
static size_t place_blindly(const struct run_argument *arguments, size_t count, char *to)
{
    size_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bytes = run_argument_bytes(&arguments[i]);
        offset = (offset + bytes - 1) / bytes * bytes;
        if (to)
            run_argument_store(&arguments[i], to + offset);
        offset += bytes;
    }
    return offset;
}

static bool check_blindly(const struct cli_program *program, const struct run_kernel *kernel,
                          const struct run_argument *arguments, size_t count)
{
    size_t needed = place_blindly(arguments, count, NULL);
    size_t alignment = kernel->kernarg_alignment ? kernel->kernarg_alignment : 1;
    /* The kernel's size may have been rounded up to its alignment, but no further. */
    if (needed <= kernel->kernarg_size && (needed + alignment - 1) / alignment * alignment >= kernel->kernarg_size)
        return true;
    cli_error(program, "the arguments take %zu bytes; the kernel's take %u", needed, kernel->kernarg_size);
    return false;
}

bool run_launch_check(const struct cli_program *program, const struct run_kernel *kernel,
                      const struct run_argument *arguments, size_t count)
{
    const struct run_signature *signature = &kernel->signature;
    if (!signature->known)
        return check_blindly(program, kernel, arguments, count);
    size_t wanted = formal_count(signature);
    if (count != wanted) {
        cli_error(program, "%zu argument%s given, but the kernel takes %zu", count, count == 1 ? " is" : "s are",
                  wanted);
        return refused_launch(kernel);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t offset;
        const struct run_formal *formal = formal_of(signature, i, &offset);
        if (!range_inside(offset, formal->bytes, kernel->kernarg_size)) {
            cli_error(program, "argument %zu lies outside the kernel's %u bytes of arguments", i + 1,
                      kernel->kernarg_size);
            return refused_launch(kernel);
        }
        if (!run_argument_fits(&arguments[i], formal)) {
            cli_error(program, "argument %zu, `%s`, is %s, but the kernel wants %s%s%s", i + 1, arguments[i].text,
                      run_argument_kind(&arguments[i]), formal->type, *formal->name ? " for " : "", formal->name);
            return refused_launch(kernel);
        }
    }
    return true;
}

const char *run_launch_name(const struct run_kernel *kernel, size_t index)
{
    uint64_t offset;
    const struct run_formal *formal = kernel->signature.known ? formal_of(&kernel->signature, index, &offset) : NULL;
    return formal && formal->name ? formal->name : "";
}

static uint32_t hidden_value(enum run_hidden hidden, const struct run_dispatch *dispatch)
{
#define GROUPS     grid / group
#define GROUP_SIZE group
#define REMAINDER  grid % group
#define DIMENSIONS dispatch->dimensions
    switch (hidden) {
    case RUN_HIDDEN_ZERO: return 0;
#define HIDDEN(name, text, dimension, value)                                              \
    case RUN_HIDDEN_##name: {                                                             \
        uint32_t grid = dispatch->grid[dimension], group = dispatch->group[dimension];    \
        (void)grid, (void)group;                                                          \
        return value;                                                                     \
    }
#include "tools/run_hidden.def"
    }
    return 0;
}

void run_launch_store(const struct run_kernel *kernel, const struct run_argument *arguments, size_t count,
                      const struct run_dispatch *dispatch, void *kernarg)
{
    const struct run_signature *signature = &kernel->signature;
    if (!signature->known) {
        place_blindly(arguments, count, kernarg);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t offset;
        if (formal_of(signature, i, &offset))
            run_argument_store(&arguments[i], (char *)kernarg + offset);
    }
    for (size_t i = 0; i < signature->formals.count; i++) {
        const struct run_formal *formal = &signature->formals.items[i];
        uint32_t value = hidden_value(formal->hidden, dispatch);
        size_t bytes = formal->bytes * (size_t)formal->count;
        if (formal->kind == RUN_FORMAL_HIDDEN && range_inside(formal->offset, bytes, kernel->kernarg_size))
            memcpy((char *)kernarg + formal->offset, &value, bytes < sizeof value ? bytes : sizeof value);
    }
}
