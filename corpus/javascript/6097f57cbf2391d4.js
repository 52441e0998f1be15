throw Aw
in
p𠓜t݊9ke var o;