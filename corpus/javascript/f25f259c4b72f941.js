function a(){return (h𤦄7Bᬀo) instanceof y
var kᎏᶧvnn;}