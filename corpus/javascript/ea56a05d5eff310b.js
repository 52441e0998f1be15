throw s6XS່r/ dਫ਼𑶑ogm
var U්ꨨུ;