# SPDX-License-Identifier: MIT
# The installed hsail/brig.h compiles in C and C++ with nothing but its tables: it needs nothing of the source tree.
. "$srcdir/testsuite/tap.sh"
mkdir -p "$work/include/hsail/brig/tables"
cp "$srcdir/include/hsail/brig.h" "$work/include/hsail/"
for table in item opcode type value; do
    cp "$srcdir/brig/tables/$table.def" "$work/include/hsail/brig/tables/"
done
cat >"$work/user.c" <<'EOF'
#include <math.h>
#include <signal.h>
#include <hsail/brig.h>
static const char *name(int opcode)
{
    switch (opcode) {
#define OP(name, code, text, form, operands, rules, section) case HSA_BRIG_OPCODE_##name: return text;
#include <hsail/brig/tables/opcode.def>
    default: return "";
    }
}
int main(void)
{
    hsa_brig_inst_mem_t ld = {{{sizeof ld, HSA_BRIG_KIND_INST_MEM}, HSA_BRIG_OPCODE_LD, HSA_BRIG_TYPE_U32, 0},
                              HSA_BRIG_SEGMENT_GLOBAL, HSA_BRIG_ALIGNMENT_1, 0, HSA_BRIG_WIDTH_1, 0, {0, 0, 0}};
    return !(name(ld.base.opcode)[0] == 'l' && HSA_EXT_BRIG_IMAGE_GEOMETRY_2DADEPTH == 7);
}
EOF
check "it compiles in C11" $TEST_CC -std=c11 -pedantic -Wall -Wextra -Werror -I"$work/include" -o "$work/c" "$work/user.c"
check "... and the program finds an opcode's name" "$work/c"
cxx=
for candidate in c++ g++ clang++-19 clang++; do
    [ -z "$cxx" ] && command -v $candidate >/dev/null && cxx=$candidate
done
if [ -z "$cxx" ]; then
    skip "it compiles in C++" "no C++ compiler"
else
    check "it compiles in C++" $cxx -x c++ -std=c++11 -Wall -Wextra -Werror -I"$work/include" -c -o "$work/o" "$work/user.c"
fi
tap_done
