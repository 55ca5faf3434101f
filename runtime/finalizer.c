/* SPDX-License-Identifier: MIT */
/* The API of the finalizer, which passes every call on to libhsa-ext-finalize64.so.1.
 *
 * Input: calls of clients. Output: what the library answers; hsa_ext_finalize_plugin.h says how the two are connected.
 * Invariant: the library is loaded by the first call that needs it, never before. */
#include "config.h"

#include "hsa/hsa_ext_finalize_plugin.h"

#include "runtime/api_table.h"
#include "runtime/core.h"
#include "runtime/finalizer.h"
#include "runtime/message.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    void *library;
    bool tried;
    hsa_ext_finalizer_1_00_pfn_t call;
    void (*unload)(void);
} plugin = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Puts the place where the library should be into PATH; false when only the search path of the dynamic linker is
 * left to try. */
static bool plugin_path(char *path, size_t size)
{
    const char *wish = secure_getenv("HSA_EXT_FINALIZE_LIBRARY");
    if (wish && *wish)
        return (size_t)snprintf(path, size, "%s", wish) < size;
    Dl_info self;
    /* Of a public function the program may have an address of its own, in its own file. */
    if (!dladdr((const void *)(uintptr_t)plugin_path, &self) || !self.dli_fname)
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    int length = slash ? (int)(slash - self.dli_fname + 1) : 0;
    return (size_t)snprintf(path, size, "%.*s" HSA_EXT_FINALIZE_LIBRARY_NAME, length, self.dli_fname) < size &&
           access(path, R_OK) == 0;
}

static void plugin_load(void)
{
    char path[4096];
    plugin.tried = true;
    plugin.library =
        dlopen(plugin_path(path, sizeof path) ? path : HSA_EXT_FINALIZE_LIBRARY_NAME, RTLD_NOW | RTLD_LOCAL);
    if (!plugin.library) {
        const char *reason = dlerror();
        message_print(MESSAGE_FINALIZER_LOAD, reason ? reason : "unknown");
        return;
    }
#define FIND(name) plugin.call.name = (__typeof__(plugin.call.name))dlsym(plugin.library, #name "_impl")
    FIND(hsa_ext_program_create);
    FIND(hsa_ext_program_destroy);
    FIND(hsa_ext_program_add_module);
    FIND(hsa_ext_program_iterate_modules);
    FIND(hsa_ext_program_get_info);
    FIND(hsa_ext_program_finalize);
#undef FIND
    plugin.unload = (void (*)(void))dlsym(plugin.library, "Unload");
    void (*load)(const void *) = (void (*)(const void *))dlsym(plugin.library, "Load");
    if (load)
        load(NULL);
}

static const hsa_ext_finalizer_1_00_pfn_t *plugin_get(void)
{
    pthread_mutex_lock(&plugin.lock);
    if (!plugin.tried)
        plugin_load();
    pthread_mutex_unlock(&plugin.lock);
    return &plugin.call;
}

bool finalizer_usable(void)
{
    char path[4096];
    return (plugin_path(path, sizeof path) && access(path, R_OK) == 0) || plugin_get()->hsa_ext_program_finalize;
}

void finalizer_shut_down(void)
{
    if (plugin.unload)
        plugin.unload();
    if (plugin.library)
        dlclose(plugin.library);
    plugin.library = NULL;
    plugin.tried = false;
    plugin.unload = NULL;
    plugin.call = (hsa_ext_finalizer_1_00_pfn_t){0};
}

/* Calls one function of the library, or says that it is not there. */
#define FORWARD(name, ...)                                                                                   \
    do {                                                                                                     \
        CHECK_UP();                                                                                          \
        const hsa_ext_finalizer_1_00_pfn_t *call = plugin_get();                                             \
        CHECK(call->name, HSA_STATUS_ERROR_NOT_INITIALIZED);                                                 \
        return call->name(__VA_ARGS__);                                                                      \
    } while (0)

HSA_API hsa_status_t hsa_ext_program_create(hsa_machine_model_t machine_model, hsa_profile_t profile,
                                            hsa_default_float_rounding_mode_t default_float_rounding_mode,
                                            const char *options, hsa_ext_program_t *program)
{
    FORWARD(hsa_ext_program_create, machine_model, profile, default_float_rounding_mode, options, program);
}

HSA_API hsa_status_t hsa_ext_program_destroy(hsa_ext_program_t program)
{
    FORWARD(hsa_ext_program_destroy, program);
}

HSA_API hsa_status_t hsa_ext_program_add_module(hsa_ext_program_t program, hsa_ext_module_t module)
{
    FORWARD(hsa_ext_program_add_module, program, module);
}

HSA_API hsa_status_t hsa_ext_program_iterate_modules(
    hsa_ext_program_t program, hsa_status_t (*callback)(hsa_ext_program_t program, hsa_ext_module_t module, void *data),
    void *data)
{
    FORWARD(hsa_ext_program_iterate_modules, program, callback, data);
}

HSA_API hsa_status_t hsa_ext_program_get_info(hsa_ext_program_t program, hsa_ext_program_info_t attribute, void *value)
{
    FORWARD(hsa_ext_program_get_info, program, attribute, value);
}

HSA_API hsa_status_t hsa_ext_program_finalize(hsa_ext_program_t program, hsa_isa_t isa, int32_t call_convention,
                                              hsa_ext_control_directives_t control_directives, const char *options,
                                              hsa_code_object_type_t code_object_type, hsa_code_object_t *code_object)
{
    FORWARD(hsa_ext_program_finalize, program, isa, call_convention, control_directives, options, code_object_type,
            code_object);
}

const void *finalizer_table(void)
{
    static const hsa_ext_finalizer_1_00_pfn_t table = {
        entry_hsa_ext_program_create,          entry_hsa_ext_program_destroy,  entry_hsa_ext_program_add_module,
        entry_hsa_ext_program_iterate_modules, entry_hsa_ext_program_get_info, entry_hsa_ext_program_finalize,
    };
    return &table;
}
