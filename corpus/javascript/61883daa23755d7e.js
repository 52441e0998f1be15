function E(){do wn86fa:var ℊl𤞶ਸ;while(𒅆fZືhഁc)
var QZ;}