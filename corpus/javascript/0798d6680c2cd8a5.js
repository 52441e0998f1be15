function g٩︤ৢi0736h𩺧𝨻𑑆d_f茄xd೦b𓑀𢩅B(){Fyq訴xॐVPfz̧𑈮캖
switch(g){case 𩏪:{debugger}}}