# testsuite/clients: unmodified programs of ROCm
CLIENT_FILES = \
	testsuite/clients/client.sh testsuite/clients/client_check.h testsuite/clients/hip_algorithms.cpp \
	testsuite/clients/hip_applications.cpp testsuite/clients/hip_calls.cpp testsuite/clients/hip_compute.cpp testsuite/clients/hip_device.cpp \
	testsuite/clients/hip_interface.cpp testsuite/clients/hip_kernel.cpp testsuite/clients/hip_libraries.cpp \
	testsuite/clients/hip_memory.cpp testsuite/clients/hip_wrong.cpp testsuite/clients/mpi_ranks.cpp \
	testsuite/clients/openmp.c testsuite/clients/packet_counter.cpp testsuite/clients/rocprim.cpp \
	testsuite/clients/rocrand.cpp testsuite/clients/rocsparse.cpp testsuite/clients/small_program.hpp \
	testsuite/clients/tool_client.cpp
CLIENT_TESTS = \
	testsuite/clients/clients.sh testsuite/clients/hip.sh testsuite/clients/libraries.sh testsuite/clients/others.sh
dist_check_SCRIPTS += $(CLIENT_TESTS)
TESTS += $(CLIENT_TESTS)
EXTRA_DIST += $(CLIENT_FILES)
