(pwn҃8uOtAQMa.𡞤󠆓) --
var 諨s;