throw F9꠬g_y
inpv var y𑌀3H$2;