repeat until'\
';;