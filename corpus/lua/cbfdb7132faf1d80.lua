repeat until"\
";;