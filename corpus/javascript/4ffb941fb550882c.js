u().a\u0024e4h=𦉱sbxYx𧟿s3Jn
var 𖹿f3i;