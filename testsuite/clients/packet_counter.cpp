// SPDX-License-Identifier: MIT
// A tools library as AMD's profilers are: built with AMD's header, it puts functions of its own into the tables of the
// runtime, and sees the packets of every queue.
//
// Output: when the program ends, a line to the file that PACKET_COUNTER names: how many queues, dispatches, copies and
// loaded kernels there were, and how often the library's functions answered with an error.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_api_trace.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

static CoreApiTable core;
static AmdExtTable amd;
static std::atomic<unsigned> queues, dispatches, barriers, copies, kernels, failures;

static void packets(const void *first, uint64_t count, uint64_t, void *, hsa_amd_queue_intercept_packet_writer write)
{
    auto *packet = (const hsa_kernel_dispatch_packet_t *)first;
    for (uint64_t i = 0; i < count; i++) {
        unsigned type = packet[i].header >> HSA_PACKET_HEADER_TYPE & 0xff;
        dispatches += type == HSA_PACKET_TYPE_KERNEL_DISPATCH;
        barriers += type == HSA_PACKET_TYPE_BARRIER_AND || type == HSA_PACKET_TYPE_BARRIER_OR;
    }
    write(first, count);
}

static hsa_status_t create_queue(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                                 void (*callback)(hsa_status_t, hsa_queue_t *, void *), void *data, uint32_t priv,
                                 uint32_t group, hsa_queue_t **queue)
{
    hsa_status_t status = amd.hsa_amd_queue_intercept_create_fn(agent, size, type, callback, data, priv, group, queue);
    if (status == HSA_STATUS_SUCCESS)
        status = amd.hsa_amd_queue_intercept_register_fn(*queue, packets, nullptr);
    failures += status != HSA_STATUS_SUCCESS;
    queues++;
    return status;
}

static hsa_status_t copy(void *to, hsa_agent_t to_agent, const void *from, hsa_agent_t from_agent, size_t bytes,
                         uint32_t count, const hsa_signal_t *after, hsa_signal_t done)
{
    copies++;
    return amd.hsa_amd_memory_async_copy_fn(to, to_agent, from, from_agent, bytes, count, after, done);
}

static hsa_status_t count_kernel(hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t symbol, void *)
{
    hsa_symbol_kind_t kind;
    failures +=
        core.hsa_executable_symbol_get_info_fn(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind) != HSA_STATUS_SUCCESS;
    kernels += kind == HSA_SYMBOL_KIND_KERNEL;
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t each_agent(hsa_agent_t agent, void *executable)
{
    return core.hsa_executable_iterate_agent_symbols_fn(*(hsa_executable_t *)executable, agent, count_kernel, nullptr);
}

static hsa_status_t freeze(hsa_executable_t executable, const char *options)
{
    hsa_status_t status = core.hsa_executable_freeze_fn(executable, options);
    if (status == HSA_STATUS_SUCCESS)
        failures += core.hsa_iterate_agents_fn(each_agent, &executable) != HSA_STATUS_SUCCESS;
    return status;
}

extern "C" bool OnLoad(HsaApiTable *table, uint64_t, uint64_t, const char *const *)
{
    core = *table->core_;
    amd = *table->amd_ext_;
    table->core_->hsa_queue_create_fn = create_queue;
    table->core_->hsa_executable_freeze_fn = freeze;
    table->amd_ext_->hsa_amd_memory_async_copy_fn = copy;
    return true;
}

extern "C" void OnUnload()
{
}

// HIP never calls hsa_shut_down(), so OnUnload() is not called.
__attribute__((destructor)) static void say()
{
    const char *name = getenv("PACKET_COUNTER");
    FILE *out = name && queues ? fopen(name, "w") : nullptr;
    if (!out)
        return;
    fprintf(out, "queues %u dispatches %u barriers %u copies %u kernels %u failures %u\n", queues.load(),
            dispatches.load(), barriers.load(), copies.load(), kernels.load(), failures.load());
    fclose(out);
}
