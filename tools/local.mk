# tools: the commands

bin_PROGRAMS += hsailasm
hsailasm_SOURCES = tools/hsailasm.c
hsailasm_LDFLAGS = $(AM_LDFLAGS) $(ORIGIN_FLAGS)
hsailasm_LDADD = libhsail.la libsupport.la

if LLVM
bin_PROGRAMS += hsailfin
endif
hsailfin_SOURCES = tools/hsailfin.c tools/fin_usage.c tools/fin_usage.h tools/input.c tools/input.h
hsailfin_LDFLAGS = $(AM_LDFLAGS) $(ORIGIN_FLAGS)
hsailfin_LDADD = libhsa-ext-finalize64.la libhsail.la libsupport.la

bin_PROGRAMS += hsainfo
hsainfo_SOURCES = tools/hsainfo.c tools/hsainfo.def tools/hsainfo_names.def tools/hsa_util.c tools/hsa_util.h \
	tools/listing.c tools/listing.h
hsainfo_LDFLAGS = $(AM_LDFLAGS) $(ORIGIN_FLAGS)
hsainfo_LDADD = libhsa-runtime64.la libsupport.la

bin_PROGRAMS += hsailrun
hsailrun_SOURCES = tools/hsailrun.c tools/hsa_util.c tools/hsa_util.h tools/input.c tools/input.h \
	tools/run_argument.c tools/run_argument.h tools/run_dispatch.c tools/run_dispatch.h \
	tools/run_hidden.def tools/run_kernel.c tools/run_kernel.h tools/run_launch.c tools/run_launch.h \
	tools/report_page.c tools/report_page.h tools/run_break.c tools/run_break.h \
	tools/run_object.c tools/run_object.h tools/run_observe.c tools/run_observe.h tools/run_page.c tools/run_page.h \
	tools/run_report.c tools/run_report.h \
	tools/run_signature.c tools/run_signature_json.c tools/run_signature.h tools/run_signature_module.c tools/run_type.def
nodist_hsailrun_SOURCES = tools/report_page_text.h
hsailrun_LDFLAGS = $(AM_LDFLAGS) $(ORIGIN_FLAGS)
hsailrun_LDADD = libhsa-runtime64.la libhsail.la libsupport.la

# The page of hsa-report and hsailrun --report, as strings.
REPORT_PAGE = tools/page/page.html tools/page/page.css tools/page/page.js tools/page/embed.awk
tools/report_page_text.h: $(REPORT_PAGE)
	$(AM_V_GEN)$(MKDIR_P) tools && LC_ALL=C $(AWK) -v folder=$(srcdir)/tools/page -f $(srcdir)/tools/page/embed.awk \
	$(srcdir)/tools/page/page.html >$@.tmp && mv -f $@.tmp $@
BUILT_SOURCES += tools/report_page_text.h
tools/report_page.$(OBJEXT): tools/report_page_text.h
CLEANFILES += tools/report_page_text.h
EXTRA_DIST += $(REPORT_PAGE)

bin_PROGRAMS += hsa-report
hsa_report_SOURCES = tools/hsa-report.c tools/report_page.c tools/report_page.h
nodist_hsa_report_SOURCES = tools/report_page_text.h
hsa_report_LDFLAGS = $(AM_LDFLAGS) $(ORIGIN_FLAGS)
hsa_report_LDADD = libsupport.la

bin_PROGRAMS += hsa-run
hsa_run_SOURCES = tools/hsa-run.c tools/hsa_run_card.c tools/hsa_run_card.h tools/hsa_run_tree.c tools/hsa_run_tree.h tools/hsa_run_watch.c \
	tools/hsa_run_watch.h tools/hsa_util.c tools/hsa_util.h tools/report_page.c tools/report_page.h \
	tools/run_break.c tools/run_break.h tools/run_observe.c tools/run_observe.h
nodist_hsa_run_SOURCES = tools/report_page_text.h
hsa_run_LDFLAGS = $(AM_LDFLAGS) $(ORIGIN_FLAGS)
hsa_run_LDADD = libhsa-runtime64.la libsupport.la

pkglib_LTLIBRARIES += hsa-run-redirect.la
hsa_run_redirect_la_SOURCES = tools/hsa_run_redirect.c
hsa_run_redirect_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared
pkglib_LTLIBRARIES += hsa-run-heap.la
hsa_run_heap_la_SOURCES = tools/hsa_run_heap.c
hsa_run_heap_la_CFLAGS = $(AM_CFLAGS) -fno-builtin
hsa_run_heap_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared
