# include: its part of the one Makefile
pkgconfig_DATA += include/hsail.pc include/hsa-runtime64.pc
