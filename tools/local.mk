# tools: its part of the one Makefile

bin_PROGRAMS += hsailasm
hsailasm_SOURCES = tools/hsailasm.c
hsailasm_LDADD = libhsail.la libsupport.la

bin_PROGRAMS += hsailfin
hsailfin_SOURCES = tools/hsailfin.c tools/input.c tools/input.h
hsailfin_LDADD = libhsa-ext-finalize64.la libhsail.la libsupport.la
