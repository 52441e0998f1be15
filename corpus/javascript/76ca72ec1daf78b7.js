throw'' .const=cP2cu𗿭
var ۮeu6fR;