function Vቊਁ(){ksl block:loop:do if(t8)break	loop
else;while(jꬎG);}