# runtime/gcn: its part of the one Makefile
