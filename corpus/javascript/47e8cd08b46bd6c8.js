function nBXFgQ𨽋lv(){hy2
for(var f̾𑨊 in e);}