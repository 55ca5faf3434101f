# include: the public headers, and files for pkg-config
pkgconfig_DATA += include/hsail.pc include/hsa-runtime64.pc
if LLVM
pkgconfig_DATA += include/hsail-finalize.pc
endif
cmakehsaildir = $(libdir)/cmake/hsail
cmakehsail_DATA = include/cmake/hsail-config.cmake include/cmake/hsail-config-version.cmake
cmakeruntimedir = $(libdir)/cmake/hsa-runtime64
cmakeruntime_DATA = include/cmake/hsa-runtime64-config.cmake include/cmake/hsa-runtime64-config-version.cmake
hsaincludedir = $(includedir)/hsa
hsainclude_HEADERS = \
	include/hsa/amd_hsa_kernel_code.h include/hsa/amd_hsa_queue.h include/hsa/amd_hsa_signal.h \
	include/hsa/hsa.h include/hsa/hsa_api_trace.def include/hsa/hsa_api_trace.h include/hsa/hsa_code_object.h \
	include/hsa/hsa_ext_amd.h include/hsa/hsa_ext_finalize.h include/hsa/hsa_ext_finalize_plugin.h include/hsa/hsa_ext_image.h \
	include/hsa/hsa_ven_amd_loader.h include/hsa/hsa_ven_hsail_report.h include/hsa/hsam.h
hsa1pincludedir = $(includedir)/hsa-1.0p
hsa1pinclude_HEADERS = include/hsa-1.0p/hsa.h include/hsa-1.0p/hsa_ext_amd.h \
	include/hsa-1.0p/hsa_ext_finalize.h include/hsa-1.0p/hsa_ext_image.h
