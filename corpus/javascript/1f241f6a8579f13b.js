function 𓗐ଽnY襌lv(){return {get 0xe(){},"\ ":--i龎3,.3e-2:Fk|=--xBv1cv,do:--l͏o𑅇k,ꩺൎ2겴vrV1:--𑎎Sn,qꃤৣ󠇫:Nc,𖪾:vgsw𑌀L,ꐇ𞋀fJR𨀪:D1,𧜑:a,a:a,a:a,a:a,a:a,a:a,a:a,a:a}
var a;}