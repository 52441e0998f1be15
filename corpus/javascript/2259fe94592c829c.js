throw ~ il੍_bo腌d()[trw᪐ဪ𐡕ヿ]
for(l$_𐨅ࣖds萪hwCഄ𨦹()[y]>>>=osb=f^=z-=yU|=Ch*=Ygofgb&=wOrwd⃰<<=mCwi3𢔃Zao1+=a%=--𞺣&&--tvDⳮ^--ꪽV&--k===--𱇤X
instanceof
--c𩿟g𬈾揮oys<<--o&&--a7ι禎|--hୟ&--e==--g6ꤊu>--tp>>--p|--Q8b𞸅෦^--pnbcह𖵀ZR!=--d<=--ৱ^--WKp󠄣O0咮&--y!==--EuMh<--i>>>--A&--ጕꢂ3ଃq2k!==--p4𫼴Ee>=--tr!=--Uhfyu舘d>>--hⅎ&&--g!=--𑈿1i𐨕ઃl0𑁵甩e<<--rdOഎYo==--mJIiax͈<--K虜S>--ኲge𑵃Buic17!==--𐅴>=--kinstanceof --Ρ𮲈m>--ꩺ&&--a!=--a!=--a!=--a!=a&&a&&a&&a?a:a,a;;);