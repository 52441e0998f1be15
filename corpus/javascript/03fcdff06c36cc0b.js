throw trxrDl==M𑶡4
var Kl𑎴a;