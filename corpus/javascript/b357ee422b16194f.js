do if(𢆨9e᰷u0៣)break else;while(ࠤa)
var 脱;