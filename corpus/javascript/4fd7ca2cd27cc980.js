--s_&--lla!==--qho3&--cꜟ==--faz0&--m===--lࡊl𝞈o9u&Q𮨡6iꢽzwd&Oe!=𑑇eIe&j𛄢m5𑋹FR🯹Z𤖣&kd&w𐒝niyac&ؠk&pn&_़hi&𓐯3Ჽ迅&ey&e&a&a&a&a?a:a
for(a==a;;);