--_().D溨󠆗3
var H𐝧𪎭ohh;