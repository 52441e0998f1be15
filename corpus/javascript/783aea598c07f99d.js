--ႎAૹ
instanceof--vx𑴋ಽ>>>--hm1mZin --T>>--vwQ>--Cۿꙿ𞸹𦷾>=--뵗<<x<=xds<Kmꧥ4sm𬝋fꙵ𑴼y1்w>lC𥨈oֈ>P>C𣒹>将𑈾kH>娣rxꥷp>k4𪜀>i鷗>𢎘Q𛅕z7a꧴>ቐ1jS𐫥sn>a>a!=a?a:a
for(a|=a;;);