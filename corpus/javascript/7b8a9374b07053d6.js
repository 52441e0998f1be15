throw　/[^-\xe9J-N^\w*-]/gim
var r;