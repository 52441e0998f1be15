function Wo4s(){l𣉭٩︤ৢi0736h𩺧𝨻𑑆d_f茄xd೦b𓑀𢩅B
block:loop:for(var 𐔀xw訴xॐVPfz̧𑈮캖 in R){throw﻿mେNJlmP6絚z=jX}}