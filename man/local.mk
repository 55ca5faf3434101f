# man: one page per command
dist_man_MANS += man/hsailfin.1
