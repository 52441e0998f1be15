ℋ𭓢𑚸᪙0=w
var x;