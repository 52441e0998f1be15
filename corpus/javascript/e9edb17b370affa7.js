function W(){return (i)||G𗑽DI
var mdXf;}