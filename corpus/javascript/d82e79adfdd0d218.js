function u(){return ee_\u0024Af5+Xy揿n𗲽ߵ
for(ff[sio]in
𐞺yp7tౝns𐀼,oB3c)break;r}