# man: a page for each command, and pages for the environment and the diagnostics
dist_man_MANS += man/hsailasm.1 man/hsailrun.1 man/hsainfo.1 man/hsa-run.1 man/hsa-report.1 man/hsa-environment.7
if LLVM
dist_man_MANS += man/hsailfin.1
endif

# This page is made in the build directory from the table of diagnostics. That needs only awk, so a tarball can always
# make it.
man_MANS = man/hsail-diagnostics.7
CLEANFILES += man/hsail-diagnostics.7
EXTRA_DIST += man/diagnostics.awk

man/hsail-diagnostics.7: man/diagnostics.awk brig/tables/diag.def
	$(AM_V_GEN)$(MKDIR_P) man && \
	LC_ALL=C $(AWK) -f $(srcdir)/man/diagnostics.awk $(srcdir)/brig/tables/diag.def >$@.tmp && mv -f $@.tmp $@
