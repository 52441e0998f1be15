new 𩍷𑙘ꠋdck()
var fFwd;