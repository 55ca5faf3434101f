# brig: its part of the one Makefile
