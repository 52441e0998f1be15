repeat until"\
";;