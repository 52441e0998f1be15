𝔞l𥁿yy do for(yૹ溴$𓑠𐋠曳mَ2()[𩳥0]
in Abro,V)s;while(Am,rco);