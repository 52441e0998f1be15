function 𒂳w4p𛲙(){GE𖭣
with(st){}}