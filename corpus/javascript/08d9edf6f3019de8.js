throw 𑘚b?d:cY6AY𜼹
var 𡢽𠁘;