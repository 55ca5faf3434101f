# frontend: its part of the one Makefile
