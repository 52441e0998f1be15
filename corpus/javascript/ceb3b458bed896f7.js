function lu(){return {set m(bdk\u0024ef){return /*>‪񂁵pv*/[𤊹,,n𞊐gsw𑌀L]
with(h2Ja蔁,dCh)var 𡔌_g,e=--ᾶ,$,𞹂Ifᷳ,𫠹s0a,p9,onv,U;return (Nꛯ8,f)%b()[iD][WeuxwDn,f較𑇁𧢃H] ++ switch(Rv2,bN){case º𑑟dh9,cwቚl0ׁi:do throw /*&񃭲R5+cs/-񺫠*$~H%Oe<:()C+Wa$!n𒎸/𯱅"=|SG*th󬺹𱒓*/(--hd8ᶽs𝟥n倂fsjy𑑐莥1,--H𱓥x)&&--Rn[--f೯Pr];while(l,yi)  o=h=詀Kꠋmly_ਿ00Ehw𮍣᮰vެiJⅠPRﵐ뷵yvJ_;do try{break
try{debugger;{;return for(;;)continue;var 𲇝u}}finally{}}finally{}while(a);}}}
var a;}