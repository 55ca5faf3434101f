# examples: its part of the one Makefile
