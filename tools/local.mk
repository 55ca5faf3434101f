# tools: its part of the one Makefile

bin_PROGRAMS += hsailasm
hsailasm_SOURCES = tools/hsailasm.c
hsailasm_LDADD = libhsail.la libsupport.la
