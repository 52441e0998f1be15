function LS店2ae𑄳(){return	new rꘌf𪵹𦘱Ar3r匨(_𞄴𩷆d)
var vev1𑏅$;}