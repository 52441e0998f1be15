function SMzfHloZk(){ଏ
for(var T𑜚𓞌
in eWl)while(Alk4FC,v𪼥JԈ𩻬lMd᳹y)𦉚G2wD𗐄y;}