function GgଲWo4s(){l𣉭٩︤ৢi0736h𩺧𝨻𑑆d_f茄xd೦b𓑀𢩅B
switch(𐔀xw訴xॐVPfz̧𑈮캖){case R:𩏪
if(gpiେNJlmP6絚z)var cjX;}}