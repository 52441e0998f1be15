Nລ
block:loop:do try{}catch(v$f\u0044){}while($exQ);