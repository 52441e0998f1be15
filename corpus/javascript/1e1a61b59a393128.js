𧶔1m.aa=𬆧lUwᏵ
var Y;