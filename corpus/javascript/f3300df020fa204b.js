function i𲋡_kxܰೢk𮍎(){ikI$Aᷣo1𑁦𨮀淶7ba𖼀 switch(fHU2b){case n:ausif(mw1qfu𑑡2g4H𞸡6Hsy)throw 𗟧8𲋮BA9ܒv
else;}}