function ˤK𑉁Op(){do do{}while(lk2);while(y𞹴)
var gc𑥂79kUk4p;}