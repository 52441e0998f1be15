--k_ꢂ^--kৗD&--eNec^--$8්b^--s𱛱7v^𞹗^Wpnv𢊿B4^$a𝔅^o^𧞞𞗺6ll^ண𡘝p7Ῥෞe^hlO^a^a^a^a^a^a^a^a?a:a
for(a>=a;;);