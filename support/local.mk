# support: the library that all other parts use; it knows nothing of HSA's interfaces
noinst_LTLIBRARIES += libsupport.la
libsupport_la_SOURCES = \
	support/alloc.c support/alloc.h support/amdgpu.c support/amdgpu.def support/checker.def support/instruction_kind.def support/amdgpu.h \
	support/append.c support/append.h support/arena.c support/arena.h \
	support/bytes.h \
	support/cli.c support/cli.h support/cli_file.c \
	support/cpu.c support/cpu.h \
	support/diag.c support/diag.h \
	support/elf_note.c support/elf_note.h support/fence.h \
	support/hash.c support/hash.h \
	support/hash_table.c support/hash_table.h \
	support/image_format.def support/image_gfx9.c support/image_gfx9.h \
	support/json_check.c support/json_check.h \
	support/launch_note.h support/linkage_note.h \
	support/message_line.c support/message_line.h \
	support/kernel_argument.c support/kernel_argument.h support/msgpack.c support/msgpack.h \
	support/source.c support/source.h \
	support/strpool.c support/strpool.h \
	support/textbuf.c support/textbuf.h \
	support/thread.c support/thread.h \
	support/trace_filter.c support/trace_filter.h support/breakpoint.c support/breakpoint.h \
	support/align_promise.h support/sampler.h support/search.h support/vec.h

# Processes that work for a library: starting them, talking to them, and being one.
noinst_LTLIBRARIES += libworker.la
libworker_la_SOURCES = support/companion.c support/companion.h support/deep_stack.c support/deep_stack.h \
	support/worker_io.c support/worker_process.h support/worker_self.c support/worker_start.c
