# finalizer: its part of the one Makefile
