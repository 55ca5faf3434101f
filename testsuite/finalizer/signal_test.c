/* SPDX-License-Identifier: MIT */
/* Executes instructions on signals, queues and exceptions (M12-M18, P05-P11, P14, P19). The signals and a queue are in
 * plain memory, and the result is compared with what plain C does to it. */
#include "testsuite/finalizer/gpu.h"
#include "testsuite/tap.h"

#include "hsa/amd_hsa_queue.h"
#include "hsa/amd_hsa_signal.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64 };

static amd_signal_t signals[ITEMS];
static _Alignas(64) amd_queue_t queue;
static uint64_t sources[2 * ITEMS][2], results[ITEMS]; /* a kernel of two waves loads two sources for each work-item */

static const char head[] = "module &signals:1:2:$full:$large:$near;\n"
                           "prog kernel &k(kernarg_u64 %signals, kernarg_u64 %sources, kernarg_u64 %results)\n{\n";
static const char open[] =
    "workitemabsid_u32 $s0, 0; cvt_u64_u32 $d0, $s0; shl_u64 $d1, $d0, 6; shl_u64 $d2, $d0, 4; shl_u64 $d3, $d0, 3;\n"
    "ld_kernarg_u64 $d4, [%signals]; add_u64 $d1, $d4, $d1; ld_kernarg_u64 $d5, [%sources]; add_u64 $d2, $d5, $d2;\n"
    "ld_kernarg_u64 $d6, [%results]; add_u64 $d3, $d6, $d3; ld_v2_global_u64 ($d7, $d8), [$d2];\n";

/* Runs BODY with CONTROL before it, at both levels of optimisation, and calls PREPARE before each run. */
static bool execute(const char *control, const char *body, uint32_t items, const void *target, void (*prepare)(void),
                    bool (*is_right)(void))
{
    static const char *const levels[] = {"-O0", "-O2"};
    char text[4096];
    bool good = true;
    snprintf(text, sizeof text, "%s%s%s%s};\n", head, control, open, body);
    for (unsigned i = 0; i < 2 && good; i++) {
        struct gpu *gpu = gpu_open(text, levels[i]);
        prepare();
        if (gpu)
            gpu_set_completion(gpu, (uintptr_t)&signals[3]);
        good = gpu &&
               gpu_run(gpu, "&k", items, (uint16_t)items,
                       (uint64_t[]){(uintptr_t)target, (uintptr_t)sources, (uintptr_t)results}, 3) &&
               is_right();
        gpu_close(gpu);
    }
    return good;
}

static uint64_t draw(unsigned i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

static void prepare(void)
{
    memset(&queue, 0, sizeof queue);
    queue.read_dispatch_id = 5;
    queue.write_dispatch_id = 9;
    for (unsigned i = 0; i < ITEMS; i++) {
        signals[i] = (amd_signal_t){.kind = AMD_SIGNAL_KIND_USER, .value = (int64_t)draw(i)};
        sources[i][0] = i % 3 ? draw(i + 100) : draw(i);
        sources[i][1] = draw(i + 200);
        results[i] = 0;
    }
}

/* ---- operations on a value ---- */

enum operation { AND, OR, XOR, EXCHANGE, ADD, SUBTRACT, COMPARE_AND_SWAP, LOAD, STORE };

static enum operation operation;
static bool returns;

static uint64_t result_of(uint64_t a, uint64_t b, uint64_t c)
{
    switch (operation) {
    case AND: return a & b;
    case OR: return a | b;
    case XOR: return a ^ b;
    case EXCHANGE:
    case STORE: return b;
    case ADD: return a + b;
    case SUBTRACT: return a - b;
    case COMPARE_AND_SWAP: return a == b ? c : a;
    case LOAD: return a;
    }
    return 0;
}

static bool operated(void)
{
    for (unsigned i = 0; i < ITEMS; i++)
        if ((uint64_t)signals[i].value != result_of(draw(i), sources[i][0], sources[i][1]) ||
            (returns && results[i] != draw(i)))
            return false;
    return true;
}

static void check_operations(void)
{
    static const struct {
        const char *name, *type, *orders;
        enum operation is;
        unsigned kinds; /* 1: with a result; 2: without; 3: both */
    } rows[] = {
        {"ld", "b64", "rlx scacq", LOAD, 1},      {"and", "b64", "rlx scacq screl scar", AND, 3},
        {"or", "b64", "rlx scar", OR, 3},         {"xor", "b64", "scacq screl", XOR, 3},
        {"exch", "b64", "rlx scar", EXCHANGE, 1}, {"add", "u64", "rlx scacq screl scar", ADD, 3},
        {"add", "s64", "scar", ADD, 3},           {"sub", "s64", "rlx scar", SUBTRACT, 3},
        {"sub", "u64", "scacq", SUBTRACT, 3},     {"cas", "b64", "rlx scar", COMPARE_AND_SWAP, 1},
        {"st", "b64", "rlx screl", STORE, 2},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned kind = 1; kind <= 2; kind++) {
            char orders[64], *rest = orders, *order, body[256];
            snprintf(orders, sizeof orders, "%s", rows[i].orders);
            while (rows[i].kinds & kind && (order = strsep(&rest, " "))) {
                operation = rows[i].is;
                returns = kind == 1;
                const char *last = operation == LOAD ? "" : operation == COMPARE_AND_SWAP ? ", $d7, $d8" : ", $d7";
                snprintf(body, sizeof body, "signal%s_%s_%s_%s_sig64 %s$d1%s;\n%s", returns ? "" : "noret",
                         rows[i].name, order, rows[i].type, returns ? "$d9, " : "", last,
                         returns ? "st_global_u64 $d9, [$d3];\n" : "");
                ok(execute("", body, ITEMS, signals, prepare, operated), "signal%s_%s_%s_%s", returns ? "" : "noret",
                   rows[i].name, order, rows[i].type);
            }
        }
}

/* ---- waits ---- */

static bool waited(void)
{
    for (unsigned i = 0; i < ITEMS; i++)
        if (results[i] != draw(i))
            return false;
    return true;
}

static bool woken(void)
{
    for (unsigned i = 0; i < ITEMS; i++)
        if (results[i] != sources[i][1])
            return false;
    return true;
}

/* The first half of the work-items wait for what the second wave, in another part of the kernel, stores. */
static void prepare_sleep(void)
{
    prepare();
    for (unsigned i = 0; i < ITEMS; i++)
        sources[i][1] = draw(i) | 1, signals[i].value = 0;
}

static void check_waits(void)
{
    static const char *const conditions[] = {"eq", "ne", "lt", "gte"};
    static const char *const expected[] = {
        "mov_b64 $d10, $d9;", "add_u64 $d10, $d9, 1;", "add_u64 $d10, $d9, 1;", "sub_u64 $d10, $d9, 1;"};
    char body[512];
    for (unsigned i = 0; i < 4; i++)
        for (unsigned timed = 0; timed < 2; timed++) {
            snprintf(body, sizeof body,
                     "signal_ld_rlx_b64_sig64 $d9, $d1; %s\nsignal_wait%s_%s_scacq_s64_sig64 $d11, $d1, $d10%s;\n"
                     "st_global_u64 $d11, [$d3];\n",
                     expected[i], timed ? "timeout" : "", conditions[i], timed ? ", 1000000000" : "");
            ok(execute("", body, ITEMS, signals, prepare, waited), "signal_wait%s_%s of what holds",
               timed ? "timeout" : "", conditions[i]);
        }
    ok(execute("",
               "signal_ld_rlx_b64_sig64 $d9, $d1; add_u64 $d10, $d9, 1;\n"
               "signal_waittimeout_eq_rlx_s64_sig64 $d11, $d1, $d10, 1000;\nst_global_u64 $d11, [$d3];\n",
               ITEMS, signals, prepare, waited),
       "signal_waittimeout ends without the condition");
    /* Work-items 64 to 127 are the other wave: they store to the signals that 0 to 63 wait for. */
    ok(execute("",
               "cmp_ge_b1_u32 $c0, $s0, 64; cbr_b1 $c0, @store;\n"
               "signal_wait_ne_scacq_s64_sig64 $d11, $d1, 0;\nst_global_u64 $d11, [$d3];\nbr @end;\n"
               "@store:\nsub_u64 $d1, $d1, 4096; sub_u64 $d2, $d2, 1024; ld_global_u64 $d8, [$d2+8];\n"
               "signalnoret_st_screl_b64_sig64 $d1, $d8;\n@end:\n",
               2 * ITEMS, signals, prepare_sleep, woken),
       "signal_wait sleeps until another wave stores");
}

/* ---- queues, packets, exceptions ---- */

static uint64_t wanted_read, wanted_write;

static bool queue_is_right(void)
{
    return queue.read_dispatch_id == wanted_read && queue.write_dispatch_id == wanted_write;
}

/* Whether each of 64 work-items has got a different one of 64 packets. */
static bool distinct(void)
{
    uint64_t seen = 0;
    for (unsigned i = 0; i < ITEMS; i++)
        seen |= results[i] >= 9 && results[i] < 9 + ITEMS ? UINT64_C(1) << (results[i] - 9) : 0;
    return queue_is_right() && seen == UINT64_MAX;
}

static bool got_five(void)
{
    return queue_is_right() && results[0] == 5 && results[ITEMS - 1] == 5;
}

static bool got_nine(void)
{
    return queue_is_right() && results[0] == 9;
}

static void check_queue(void)
{
    wanted_read = 5, wanted_write = 9 + ITEMS;
    ok(execute("", "addqueuewriteindex_global_scar_u64 $d9, [$d4], 1; st_global_u64 $d9, [$d3];\n", ITEMS, &queue,
               prepare, distinct),
       "addqueuewriteindex");
    wanted_write = 9;
    ok(execute("", "ldqueuereadindex_global_scacq_u64 $d9, [$d4]; st_global_u64 $d9, [$d3];\n", ITEMS, &queue, prepare,
               got_five),
       "ldqueuereadindex");
    ok(execute("", "ldqueuewriteindex_global_rlx_u64 $d9, [$d4]; st_global_u64 $d9, [$d3];\n", ITEMS, &queue, prepare,
               got_nine),
       "ldqueuewriteindex");
    wanted_write = 77;
    ok(execute("", "casqueuewriteindex_global_scar_u64 $d9, [$d4], 9, 77; st_global_u64 $d9, [$d3];\n", 1, &queue,
               prepare, got_nine),
       "casqueuewriteindex of what is there");
    wanted_write = 9;
    ok(execute("", "casqueuewriteindex_global_rlx_u64 $d9, [$d4], 8, 77; st_global_u64 $d9, [$d3];\n", 1, &queue,
               prepare, got_nine),
       "casqueuewriteindex of what is not");
    wanted_read = 33, wanted_write = 44;
    ok(execute("", "stqueuereadindex_global_screl_u64 [$d4], 33; stqueuewriteindex_global_rlx_u64 [$d4], 44;\n", 1,
               &queue, prepare, queue_is_right),
       "stqueuereadindex, stqueuewriteindex");
}

static bool is_completion(void)
{
    return results[0] == (uintptr_t)&signals[3];
}

static bool is_21(void)
{
    return results[0] == 0x15 && results[1] == 0x14;
}

static bool is_3(void)
{
    return results[0] == 3;
}

static void check_others(void)
{
    ok(execute("", "packetcompletionsig_sig64 $d9; st_global_u64 $d9, [$d3];\n", 1, signals, prepare, is_completion),
       "packetcompletionsig");
    ok(execute("enabledetectexceptions 31;\n",
               "cleardetectexcept_u32 31; setdetectexcept_u32 0x15; getdetectexcept_u32 $s1; cvt_u64_u32 $d9, $s1;\n"
               "st_global_u64 $d9, [$d3]; cleardetectexcept_u32 1; getdetectexcept_u32 $s1; cvt_u64_u32 $d9, $s1;\n"
               "st_global_u64 $d9, [$d3+8];\n",
               1, signals, prepare, is_21),
       "setdetectexcept, cleardetectexcept and getdetectexcept");
    ok(execute("enabledetectexceptions 3;\nenablebreakexceptions 31;\n",
               "setdetectexcept_u32 31; getdetectexcept_u32 $s1; cvt_u64_u32 $d9, $s1; st_global_u64 $d9, [$d3];\n", 1,
               signals, prepare, is_3),
       "only exceptions that DETECT is enabled for are seen; BREAK halts no kernel that raises none");
    char text[1024];
    snprintf(text, sizeof text, "%s%s st_global_u64 7, [$d3]; debugtrap_u32 3; st_global_u64 8, [$d3];\n};\n", head,
             open);
    struct gpu *gpu = gpu_open(text, "-O2");
    ok(gpu && !gpu_run(gpu, "&k", 1, 1, (uint64_t[]){(uintptr_t)signals, (uintptr_t)sources, (uintptr_t)results}, 3) &&
           results[0] == 7,
       "debugtrap stops the kernel");
    gpu_close(gpu);
}

int main(void)
{
    check_operations();
    check_waits();
    check_queue();
    check_others();
    return tap_done();
}
