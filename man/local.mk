# man: one page per command
dist_man_MANS += man/hsailasm.1 man/hsailfin.1 man/hsailrun.1 man/hsainfo.1 man/hsa-environment.7
