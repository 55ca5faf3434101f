# runtime/host: its part of the one Makefile
