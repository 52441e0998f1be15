function s(){r
switch(M6𝟋Qv){case doቘAy:〵maۭyg𞣒DꞋgn if(n习dp𑼳8ۤ)return''
else;}}