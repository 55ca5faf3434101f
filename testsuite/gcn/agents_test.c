/* SPDX-License-Identifier: MIT */
/* Tests agents of several processors: what distinguishes them, and what depends on the processor. */
#include "hsa/hsa.h"
#include "hsa/hsa_ext_amd.h"
#include "testsuite/tap.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

struct seen {
    char name[64], uuid[21], isa[64];
    uint32_t bdf, chip;
};

static struct seen seen[MOST];
static unsigned count;

static hsa_status_t look(hsa_agent_t agent, void *data)
{
    (void)data;
    struct seen *to = &seen[count];
    hsa_device_type_t type;
    hsa_isa_t isa;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type != HSA_DEVICE_TYPE_GPU || count == MOST)
        return HSA_STATUS_SUCCESS;
    hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, to->name);
    hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_UUID, to->uuid);
    hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_BDFID, &to->bdf);
    hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_CHIP_ID, &to->chip);
    hsa_agent_get_info(agent, HSA_AGENT_INFO_ISA, &isa);
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, to->isa);
    count++;
    return HSA_STATUS_SUCCESS;
}

int main(void)
{
    setenv("HSA_GCN_AGENTS", "gfx900,gfx906,gfx906,gfx908,gfx90a", 1);
    unsetenv("ROCR_VISIBLE_DEVICES");
    if (!ok(hsa_init() == HSA_STATUS_SUCCESS && hsa_iterate_agents(look, NULL) == HSA_STATUS_SUCCESS && count == 5,
            "five agents"))
        return tap_done();
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            ok(strcmp(seen[i].uuid, seen[j].uuid) != 0 && seen[i].bdf != seen[j].bdf,
               "%s and %s have uuids and bus numbers of their own", seen[i].name, seen[j].name);
    ok(!strcmp(seen[0].name, "gfx900") && !strcmp(seen[0].isa, "amdgcn-amd-amdhsa--gfx900:xnack-") &&
           seen[0].chip == 0x6863,
       "gfx900");
    ok(!strcmp(seen[1].name, "gfx906") && !strcmp(seen[1].isa, "amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-") &&
           seen[1].chip == 0x66a0,
       "gfx906");
    ok(!strcmp(seen[3].name, "gfx908") && !strcmp(seen[3].isa, "amdgcn-amd-amdhsa--gfx908:sramecc+:xnack-") &&
           seen[3].chip == 0x738c,
       "gfx908");
    ok(!strcmp(seen[4].name, "gfx90a") && !strcmp(seen[4].isa, "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-") &&
           seen[4].chip == 0x740f,
       "gfx90a");
    hsa_isa_t isa;
    ok(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx906", &isa) == HSA_STATUS_SUCCESS &&
           hsa_isa_from_name("AMD:AMDGPU:9:0:6", &isa) == HSA_STATUS_SUCCESS &&
           hsa_isa_from_name("amdgcn-amd-amdhsa--gfx942", &isa) == HSA_STATUS_ERROR_INVALID_ISA_NAME,
       "instruction sets are found by their names");
    hsa_shut_down();
    return tap_done();
}
