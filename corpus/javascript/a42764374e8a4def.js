𑫗𠧘 switch(Ｚ){case 𗖲K᭕ﹴLh𖾏Lh78i懶𝩵𒍶6Kueow:gl𗬸tb𠫃狄𔂴n𐞅ຣejgkQtlyූ෯2485ٍ
if(v)var p𑙗S;else{}}