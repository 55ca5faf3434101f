# bench: its part of the one Makefile
