# tools: its part of the one Makefile
