# runtime: libhsa-runtime64.so.1; the driver folders add their sources to it
lib_LTLIBRARIES += libhsa-runtime64.la
libhsa_runtime64_la_SOURCES = \
	runtime/agent.c runtime/agent.h runtime/api_names.h runtime/api_table.c runtime/api_table.h runtime/entry.S \
	runtime/cu_mask.c runtime/intercept.c runtime/tools.c runtime/callback.c runtime/callback.h runtime/clock.h \
	runtime/async.c runtime/async.h \
	runtime/code_object.c runtime/code_object.h runtime/code_object_api.c \
	runtime/copy.c runtime/core.h runtime/debugger.c runtime/driver.c runtime/driver_services.c runtime/driver_services.h \
	runtime/drivers.def runtime/executable.c runtime/executable.h runtime/extension.h \
	runtime/finalizer.c runtime/finalizer.h runtime/handle.c runtime/handle.h \
	runtime/image.c runtime/image.h runtime/image_data.c runtime/image_format.c \
	runtime/init.c runtime/isa.c runtime/linkage.c runtime/loader.c runtime/loader_table.c runtime/loader_table.h \
	runtime/dwarf.h runtime/dwarf_unit.c runtime/dwarf_unit.h runtime/variables.c runtime/variables.h \
	runtime/lines.c runtime/lines.h runtime/logging.c runtime/logging.h runtime/place.c runtime/place.h \
	runtime/report.c runtime/report.h runtime/suppress.c runtime/suppress.h \
	runtime/memory.c runtime/memory.h runtime/heap_block.h runtime/memory_caller.c runtime/memory_caller.h runtime/memory_agents.c \
	runtime/memory_copy.c runtime/message.c runtime/message.def runtime/message.h runtime/metadata.c \
	runtime/ordered.c runtime/ordered.h \
	runtime/pointer.c runtime/profile.c runtime/provisional.c runtime/provisional.h \
	runtime/provisional_finalization.c runtime/provisional_finalization.h runtime/provisional_serialize.c \
	runtime/provisional_finalize.c runtime/provisional_image.c runtime/provisional_module.c \
	runtime/provisional_module.h runtime/provisional_program.c runtime/provisional_program.h runtime/queue.c runtime/queue.h runtime/queue_index.c runtime/region.c \
	runtime/request.c runtime/request.h runtime/sampler.c runtime/share.c runtime/share.h \
	runtime/signal.c runtime/signal.h runtime/signal_ipc.c runtime/signal_ops.c runtime/signal_slot.c \
	runtime/signal_slot.h runtime/signal_watch.c \
	runtime/status.c runtime/status.def runtime/svm.c runtime/system.c runtime/vmem.c runtime/wait.c
# The implementation has names of its own, as the exported ones belong to runtime/entry.S.
libhsa_runtime64_la_CPPFLAGS = $(AM_CPPFLAGS) -include $(top_srcdir)/runtime/api_names.h
libhsa_runtime64_la_LIBADD = libgcn.la libsupport.la
libhsa_runtime64_la_LDFLAGS = $(AM_LDFLAGS) $(RELOCATION_FLAGS) -version-info 1:0:0 -Wl,--version-script=$(srcdir)/runtime/runtime.map
libhsa_runtime64_la_LINK = $(PUBLIC_LINK) $(libhsa_runtime64_la_LDFLAGS)
libhsa_runtime64_la_DEPENDENCIES = libgcn.la libsupport.la $(srcdir)/runtime/runtime.map
EXTRA_DIST += runtime/runtime.map

# The packet processor, for drivers that serve their queues with threads of the host, and what writes places in code;
# libgcn.la contains both.
noinst_LTLIBRARIES += libpacket.la
libpacket_la_SOURCES = runtime/demangle.c runtime/demangle.h runtime/packet.c runtime/packet.h runtime/packet_error.def \
	runtime/place_text.c runtime/place_text.h
