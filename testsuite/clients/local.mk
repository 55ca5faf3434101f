# testsuite/clients: unmodified programs of ROCm
CLIENT_FILES = \
	testsuite/clients/client_check.h testsuite/clients/hip_compute.cpp testsuite/clients/hip_interface.cpp \
	testsuite/clients/hip_kernel.cpp testsuite/clients/hip_memory.cpp testsuite/clients/hip_wrong.cpp testsuite/clients/small_program.hpp \
	testsuite/clients/rocm_libraries.cpp testsuite/clients/rocprim.cpp
dist_check_SCRIPTS += testsuite/clients/clients.sh
TESTS += testsuite/clients/clients.sh
EXTRA_DIST += $(CLIENT_FILES)
