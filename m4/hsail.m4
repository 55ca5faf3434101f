# HSAIL_ARG_WERROR: --enable-werror
AC_DEFUN([HSAIL_ARG_WERROR], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
    [], [enable_werror=no])
])

# HSAIL_ARG_SANITIZERS: --enable-sanitizers=address,undefined|thread
AC_DEFUN([HSAIL_ARG_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers=LIST], [build with address,undefined or with thread])],
    [], [enable_sanitizers=no])
  AS_CASE([$enable_sanitizers],
    [no], [SANITIZER_FLAGS=],
    [yes], [enable_sanitizers=address,undefined
            SANITIZER_FLAGS="-fsanitize=address,undefined"],
    [address|undefined|thread|address,undefined|undefined,address],
      [SANITIZER_FLAGS="-fsanitize=$enable_sanitizers"],
    [AC_MSG_ERROR([--enable-sanitizers takes address,undefined or thread, not $enable_sanitizers])])
  AS_IF([test -n "$SANITIZER_FLAGS"],
    [SANITIZER_FLAGS="$SANITIZER_FLAGS -g -fno-omit-frame-pointer -fno-sanitize-recover=all"])
  AC_SUBST([SANITIZER_FLAGS])
  AC_SUBST([enable_sanitizers])
  AM_CONDITIONAL([SANITIZERS], [test "$enable_sanitizers" != no])
])

# HSAIL_ARG_FUZZERS: --enable-fuzzers (needs clang, for libFuzzer)
AC_DEFUN([HSAIL_ARG_FUZZERS], [
  AC_ARG_ENABLE([fuzzers], [AS_HELP_STRING([--enable-fuzzers], [build the libFuzzer targets (needs clang)])],
    [], [enable_fuzzers=no])
  FUZZER_FLAGS=
  AS_IF([test "$enable_fuzzers" = yes], [
    AC_MSG_CHECKING([whether $CC has libFuzzer])
    hsail_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -fsanitize=fuzzer"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n)
      { return d == 0 && n; }]])], [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([--enable-fuzzers needs clang with libFuzzer: configure with CC=clang-19])])
    CFLAGS=$hsail_save_CFLAGS
    FUZZER_FLAGS="-fsanitize=fuzzer-no-link"
  ])
  AC_SUBST([FUZZER_FLAGS])
  AM_CONDITIONAL([FUZZERS], [test "$enable_fuzzers" = yes])
])

# HSAIL_ARG_COVERAGE: --enable-coverage
AC_DEFUN([HSAIL_ARG_COVERAGE], [
  AC_ARG_ENABLE([coverage], [AS_HELP_STRING([--enable-coverage], [build with gcov instrumentation])],
    [], [enable_coverage=no])
  COVERAGE_FLAGS=
  AS_IF([test "$enable_coverage" = yes], [COVERAGE_FLAGS="-g --coverage -fprofile-update=atomic"])
  AC_SUBST([COVERAGE_FLAGS])
])

# HSAIL_FLAGS(VARIABLE, FLAGS): sets VARIABLE to those of FLAGS that the compiler takes.
AC_DEFUN([HSAIL_FLAGS], [
  $1=
  for flag in $2; do
    AC_MSG_CHECKING([whether $CC takes $flag])
    hsail_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
      [AC_MSG_RESULT([yes]); $1="$$1 $flag"], [AC_MSG_RESULT([no])])
    CFLAGS=$hsail_save_CFLAGS
  done
])

# HSAIL_WARNINGS: the warnings every file is compiled with.
AC_DEFUN([HSAIL_WARNINGS], [
  HSAIL_FLAGS([WARN_FLAGS], [-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
      -Wpointer-arith -Wundef -Wvla -Wswitch -Wimplicit-fallthrough -Wno-missing-field-initializers])
  AS_IF([test "$enable_werror" = yes], [WARN_FLAGS="$WARN_FLAGS -Werror"])
  AC_SUBST([WARN_FLAGS])
])

# HSAIL_ALIGNMENT: ALIGN_FLAGS for code with less padding, and ALIGN_LEAST_FLAGS for code with none besides.
AC_DEFUN([HSAIL_ALIGNMENT], [
  HSAIL_FLAGS([ALIGN_FLAGS], [-fno-align-jumps -fno-align-labels])
  HSAIL_FLAGS([ALIGN_LEAST_FLAGS], [-fno-align-loops -fno-align-functions])
  AC_SUBST([ALIGN_FLAGS])
  AC_SUBST([ALIGN_LEAST_FLAGS])
])

# HSAIL_REPRODUCIBLE: PATH_FLAGS, which keep the names of the source and build directories out of what is compiled.
AC_DEFUN([HSAIL_REPRODUCIBLE], [
  AC_MSG_CHECKING([whether $CC takes -ffile-prefix-map])
  hsail_save_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror -ffile-prefix-map=/nowhere=."
  PATH_FLAGS=
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes])
     # The last option that matches is used, so a build directory inside the source directory gives the same names as
     # one elsewhere. Headers have the name that the include path gives them, which is absolute if that of configure
     # was.
     PATH_FLAGS='-ffile-prefix-map=$(srcdir)/= -ffile-prefix-map=$(abs_top_srcdir)=.'
     PATH_FLAGS="$PATH_FLAGS"' -ffile-prefix-map=$(abs_top_srcdir)/= -ffile-prefix-map=$(abs_top_builddir)=.'],
    [AC_MSG_RESULT([no])])
  CFLAGS=$hsail_save_CFLAGS
  AC_SUBST([PATH_FLAGS])
])

# HSAIL_LLVM: finds llvm-config of LLVM 19 or newer; sets LLVM_CONFIG, LLVM_VERSION, LLVM_CFLAGS, LLVM_LIBS,
# LLVM_BINDIR, and LLVM_WORKER_LIBS, LLVM_JIT_LIBS and LLVM_WORKER_LDFLAGS for the two programs that compile.
# With --without-llvm they are empty, and the condition LLVM is false: there is no finalizer then.
AC_DEFUN([HSAIL_LLVM], [
  AC_ARG_WITH([llvm],
    [AS_HELP_STRING([--with-llvm=PATH], [LLVM 19 or newer: its llvm-config, or the prefix it is installed in])
AS_HELP_STRING([--without-llvm], [build everything but the finalizer])],
    [], [with_llvm=])
  AM_CONDITIONAL([LLVM], [test "$with_llvm" != no])
  AS_IF([test "$with_llvm" != no], [HSAIL_FIND_LLVM], [LLVM_CONFIG= LLVM_VERSION=none])
  AC_SUBST([LLVM_CONFIG])
  AC_SUBST([LLVM_VERSION])
  AC_SUBST([LLVM_CFLAGS])
  AC_SUBST([LLVM_LIBS])
  AC_SUBST([LLVM_WORKER_LIBS])
  AC_SUBST([LLVM_JIT_LIBS])
  AC_SUBST([LLVM_WORKER_LDFLAGS])
  AC_SUBST([LLVM_BINDIR])
])

AC_DEFUN([HSAIL_FIND_LLVM], [
  AS_CASE([$with_llvm],
    [''|yes], [AC_PATH_PROGS([LLVM_CONFIG], [llvm-config-19 llvm-config-20 llvm-config-21 llvm-config])],
    [AS_IF([test -d "$with_llvm"], [LLVM_CONFIG=$with_llvm/bin/llvm-config], [LLVM_CONFIG=$with_llvm])])
  AS_IF([test -z "$LLVM_CONFIG" || ! test -x "$LLVM_CONFIG"],
    [AC_MSG_ERROR([llvm-config of LLVM 19 or newer not found; install llvm-19-dev, use --with-llvm=PATH,
or --without-llvm for everything but the finalizer])])
  AC_MSG_CHECKING([the version of $LLVM_CONFIG])
  LLVM_VERSION=`"$LLVM_CONFIG" --version`
  AC_MSG_RESULT([$LLVM_VERSION])
  AS_IF([test "`AS_ECHO(["$LLVM_VERSION"]) | sed 's/\..*//'`" -lt 19],
    [AC_MSG_ERROR([LLVM $LLVM_VERSION is too old; 19 or newer is needed])])
  LLVM_CFLAGS="-I`"$LLVM_CONFIG" --includedir`"
  LLVM_LIBS="-L`"$LLVM_CONFIG" --libdir` `"$LLVM_CONFIG" --link-shared --libs`"
  LLVM_BINDIR=`"$LLVM_CONFIG" --bindir`
  AC_DEFINE_UNQUOTED([LLVM_RELEASE], [`AS_ECHO(["$LLVM_VERSION"]) | sed 's/\..*//'`], [The release of LLVM.])
  HSAIL_STATIC_LLVM
])

# HSAIL_TRY_STATIC(LIBS, LDFLAGS, YES, NO): whether a program can be linked with LLVM's archives that way
AC_DEFUN([HSAIL_TRY_STATIC], [
  hsail_save_LIBS=$LIBS hsail_save_LDFLAGS=$LDFLAGS
  LIBS="$1 $LIBS" LDFLAGS="$2 $LDFLAGS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[void LLVMInitializeAMDGPUTarget(void), LLVMRunPasses(void),
      LLVMParseIRInContext(void);]],
    [[LLVMInitializeAMDGPUTarget(); LLVMRunPasses(); LLVMParseIRInContext();]])],
    [hsail_linked=yes], [hsail_linked=no])
  LIBS=$hsail_save_LIBS LDFLAGS=$hsail_save_LDFLAGS
  AS_IF([test $hsail_linked = yes], [$3], [$4])
])

# HSAIL_LLVM_ARCHIVES(VARIABLE, COMPONENTS): LLVM's archives with these components, and what they need
AC_DEFUN([HSAIL_LLVM_ARCHIVES], [
  $1="-L`"$LLVM_CONFIG" --libdir` `"$LLVM_CONFIG" --link-static --libs $2`"
  $1="$$1 -lstdc++ `"$LLVM_CONFIG" --link-static --system-libs $2`"
])

# HSAIL_ONLY_ARCHIVES(VARIABLE, LIBS): those of LIBS that are archives
AC_DEFUN([HSAIL_ONLY_ARCHIVES], [
  $1=
  for lib in $2; do
    AS_CASE([$lib], [*.so|-lxml2], [], [$1="$$1 $lib"])
  done
])

# HSAIL_STATIC_LLVM: a process that compiles starts in a third of the time if LLVM is part of it at a fixed address,
# as nothing has to be relocated then, and faster still if all other libraries are part of it, too. Some libraries that
# LLVM's archives name have no archives; these are left out then, as the process needs no code of theirs. Sanitizers
# want one copy of everything in a library.
AC_DEFUN([HSAIL_STATIC_LLVM], [
  AC_ARG_ENABLE([static-llvm],
    [AS_HELP_STRING([--disable-static-llvm],
      [have the workers use the shared library of LLVM, not its archives])], [], [enable_static_llvm=auto])
  LLVM_WORKER_LIBS=$LLVM_LIBS
  LLVM_JIT_LIBS=$LLVM_LIBS
  LLVM_WORKER_LDFLAGS=
  AS_IF([test "$enable_sanitizers" != no && test "$enable_static_llvm" = auto], [enable_static_llvm=no])
  AS_IF([test "$enable_static_llvm" != no], [
    AC_MSG_CHECKING([whether LLVM's archives can be linked])
    HSAIL_LLVM_ARCHIVES([static_libs], [amdgpu irreader passes])
    HSAIL_LLVM_ARCHIVES([static_jit_libs], [x86 bitreader])
    static_ldflags="-no-pie -Wl,--gc-sections,--as-needed"
    HSAIL_ONLY_ARCHIVES([all_static_libs], [$static_libs])
    HSAIL_ONLY_ARCHIVES([all_static_jit_libs], [$static_jit_libs])
    all_static_ldflags="-no-pie -Wl,--gc-sections"
    dnl With --no-warnings, the linker does not say either that something is missing, which is found out here, and by
    dnl testsuite/runtime/exports_test.sh.
    HSAIL_TRY_STATIC([$all_static_libs], [-static $all_static_ldflags],
      [static_llvm="yes, and everything else"
       LLVM_WORKER_LIBS=$all_static_libs LLVM_JIT_LIBS=$all_static_jit_libs
       LLVM_WORKER_LDFLAGS="-all-static $all_static_ldflags,--no-warnings"],
      [HSAIL_TRY_STATIC([$static_libs], [$static_ldflags],
        [static_llvm=yes LLVM_WORKER_LIBS=$static_libs LLVM_JIT_LIBS=$static_jit_libs
         LLVM_WORKER_LDFLAGS=$static_ldflags], [static_llvm=no])])
    AC_MSG_RESULT([$static_llvm])
    AS_IF([test "$static_llvm" = no && test "$enable_static_llvm" = yes],
      [AC_MSG_ERROR([they cannot; on Debian, install g++, libzstd-dev, zlib1g-dev])])
    enable_static_llvm=$static_llvm])
])

# HSAIL_PTHREAD: adds the flag for threads. On new systems they are part of libc; older ones need the flag.
AC_DEFUN([HSAIL_PTHREAD], [
  PTHREAD_FLAGS="-pthread"
  AC_SUBST([PTHREAD_FLAGS])
])

# HSAIL_SHORT_RELOCATIONS: sets RELOCATION_FLAGS to those by which the linker packs relative relocations, of which the
# tables of handlers have thousands, if the dynamic linker reads them (glibc 2.36).
AC_DEFUN([HSAIL_SHORT_RELOCATIONS], [
  AC_MSG_CHECKING([whether relative relocations can be packed])
  saved_flags=$LDFLAGS
  RELOCATION_FLAGS="-Wl,-z,pack-relative-relocs"
  LDFLAGS="$LDFLAGS $RELOCATION_FLAGS -Wl,--fatal-warnings -pie -fPIE"
  AC_RUN_IFELSE([AC_LANG_PROGRAM([[static int x; int *volatile p = &x;]], [[return p != &x;]])],
    [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no]); RELOCATION_FLAGS=], [AC_MSG_RESULT([not known]); RELOCATION_FLAGS=])
  LDFLAGS=$saved_flags
  AC_SUBST([RELOCATION_FLAGS])
])
