repeat until"\
";;