throw null+f᪃wfe
var xp𑠴𝒢y𝼪ꠁ폍t;