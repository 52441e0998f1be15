repeat until"\z	


";;