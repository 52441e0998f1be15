W٦𘜍dK
for(𞸧ut4xVYrmyO᷾o5ⷞ8()._7ቖ in c);