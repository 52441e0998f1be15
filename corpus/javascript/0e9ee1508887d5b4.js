throw(c).$︎ௗ𖾓--
var My;