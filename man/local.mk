# man: its part of the one Makefile
