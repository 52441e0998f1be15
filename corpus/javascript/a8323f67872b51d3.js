function w𢙭QV떥ିl󠅞kͿsx(){do block:loop:for((꺪𩚙ഽൊtOX) in
zyylt){}while(wXQU)var 𰀮ࣾៗ8;}