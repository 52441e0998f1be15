function s2(){v
for((d)in n9ox𭢑);}