new ig()[--C]--
var 𩿺wn҃8uOtAQMa;