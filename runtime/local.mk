# runtime: its part of the one Makefile
