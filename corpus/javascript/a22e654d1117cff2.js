l
switch(Sy𤭯𦤝ក){case n𞓬gꪴ:break;}