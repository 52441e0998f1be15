throw s6XS່r in ਫ਼𑶑ogm
var U්ꨨུ;