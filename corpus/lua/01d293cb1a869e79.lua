repeat until"\z


";;