function h󠄀(){km5crK1
switch(Lj𑎐a){case Ὅ:ｋਅo鎒kntry{}catch(bug\u0024){}}}