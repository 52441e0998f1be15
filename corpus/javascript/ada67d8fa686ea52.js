function w𑉁5(){kO switch(𞹙){case t𑠲gொﯓH𞹗kf:i𠚿H00i
if(d5)break
else;}}