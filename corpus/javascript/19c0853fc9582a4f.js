function i0ny(){do block:loop:for(d𞸤𢙭QV떥ିl󠅞kͿsx.〡 
inylഽൊtOX);while(Aczlt) var wXQU;}