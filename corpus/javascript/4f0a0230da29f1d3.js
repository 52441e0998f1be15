function iie(){gr㕦28 switch(bl𡈼){case P:𞋁s_8Tx𩏯
while(gd𞹋xik)try{return D𰈄𐦀ײַHtsdCẍ|=x}catch(f4){throw p5crK1=Lj𑎐a}finally{--Ὅ}}}