autocmd BufNewFile,BufRead *.hsail setfiletype hsail
