this().fdb\u0024at.𞸴6ᙿ𐽆D.c𐅀$ৡ〪𬆤᜕.𓽖肎E֯.𬹳ꄂT.c.PΩTR㾚ὅ𪘀.a.Q𑙖l.𑜚4.䳠tY1$5.v.ઓp𭙽.F6𲇯Tfx̮᳴7ㆎ.𐊜w𑏅𐞲.gl弹.ೡ៩.b.𝝰.Ex0𬢱ṏh.nꌅ𑛉5894𞺥𑵇𩍄＿33𥋍F𣬗ঁu𣷽wdSq.𫕀ᭀ𗍭𐺆k2ﭠ.𩪯3J.h.p.x5அ᪉꘠𑑐.Tn.q\u0024lzL [p35]=aA𐏑
var g𧈊ந2An$I;