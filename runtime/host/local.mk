# runtime/host: the CPU agent
libhsa_runtime64_la_SOURCES += runtime/host/host.c runtime/host/host.h runtime/host/host_memory.c
