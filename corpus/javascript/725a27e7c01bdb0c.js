cpn.V𛱼.Ὸ𭓠𑚸ⰀA --
var q;