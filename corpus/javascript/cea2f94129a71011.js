ꛯs𑚏m1Ｚ
switch(aK᭕ﹴLh𖾏Lh78i懶𝩵𒍶6Kueow){case gl𗬸tb𠫃狄𔂴n𐞅ຣejgkQtlyූ෯2485ٍ:𮍑 for((𘥐lc)
in
m𑴶wntUf);}