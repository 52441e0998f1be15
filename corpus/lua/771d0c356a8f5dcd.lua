repeat until'\
';;