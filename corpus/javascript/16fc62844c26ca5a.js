throw{set var (m){throw﻿!!D},0XD:--T𑼾jd𝝮思,𬵍࠙𓗂ୡྼ:s|=--Wv,get .9e-6(){},ꢂ66:--buKT,𤲚ﬆQ:e𖭙lTIFk,xE3ew:O,ำ𓤫:w,𗾷I8Fb𑠡:a,a:a,a:a,a:a,a:a,a:a,a:a,a:a,a:a,a:a}
var a;