# contrib: Vim syntax and a TextMate grammar, which are made in the build directory from the tables of the language, and
# shell completion, which is made from the tables of options
EDITOR_FILES = contrib/vim/syntax/hsail.vim contrib/textmate/hsail.tmLanguage.json
EDITOR_TABLES = \
	brig/tables/opcode.def brig/tables/slot.def brig/tables/type.def brig/tables/value.def frontend/keyword.def

vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
nodist_vimsyntax_DATA = contrib/vim/syntax/hsail.vim
vimftdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimftdetect_DATA = contrib/vim/ftdetect/hsail.vim
textmatedir = $(pkgdatadir)/textmate
nodist_textmate_DATA = contrib/textmate/hsail.tmLanguage.json
CLEANFILES += $(EDITOR_FILES)
EXTRA_DIST += contrib/fill.awk $(EDITOR_FILES:=.in)

$(EDITOR_FILES): contrib/fill.awk $(EDITOR_TABLES)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir) && \
	LC_ALL=C $(AWK) -f contrib/fill.awk $(EDITOR_TABLES) $@.in >$(abs_builddir)/$@.tmp && \
	mv -f $(abs_builddir)/$@.tmp $(abs_builddir)/$@
contrib/vim/syntax/hsail.vim: contrib/vim/syntax/hsail.vim.in
contrib/textmate/hsail.tmLanguage.json: contrib/textmate/hsail.tmLanguage.json.in

COMPLETED_TOOLS = hsailasm hsailrun hsainfo hsa-run hsa-report
if LLVM
COMPLETED_TOOLS += hsailfin
endif
COMPLETED_TABLES = $(COMPLETED_TOOLS:%=tools/%.c)
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = contrib/completion/hsailasm
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_zshcompletion_DATA = contrib/completion/_hsail
CLEANFILES += contrib/completion/hsailasm contrib/completion/_hsail
EXTRA_DIST += contrib/ci/hip.yml contrib/completion/completion.awk

contrib/completion/hsailasm: contrib/completion/completion.awk $(COMPLETED_TABLES)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir) && LC_ALL=C $(AWK) -v shell=bash \
	-f contrib/completion/completion.awk $(COMPLETED_TABLES) >$(abs_builddir)/$@.tmp && \
	mv -f $(abs_builddir)/$@.tmp $(abs_builddir)/$@
contrib/completion/_hsail: contrib/completion/completion.awk $(COMPLETED_TABLES)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir) && LC_ALL=C $(AWK) -v shell=zsh \
	-f contrib/completion/completion.awk $(COMPLETED_TABLES) >$(abs_builddir)/$@.tmp && \
	mv -f $(abs_builddir)/$@.tmp $(abs_builddir)/$@

# bash looks for a file with the name of the command. All commands share one file, to which these names are links.
install-data-hook: install-completion-links
install-completion-links:
	cd $(DESTDIR)$(bashcompletiondir) && for tool in $(COMPLETED_TOOLS); do \
	  test $$tool = hsailasm || $(LN_S) -f hsailasm $$tool || exit 1; done
uninstall-hook: uninstall-completion-links
uninstall-completion-links:
	cd $(DESTDIR)$(bashcompletiondir) && rm -f $(COMPLETED_TOOLS)
.PHONY: install-completion-links uninstall-completion-links
