throw[]
var oc;