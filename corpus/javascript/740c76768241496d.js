function g(){return (o𑁅fohC𝆭𑠴𝒢y𝼪ꠁ폍t),nvg𡘴𝝮
var Pೕwf;}