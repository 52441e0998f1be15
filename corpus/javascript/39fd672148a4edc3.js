function _(){u
switch(nூ){case bm𦻳L:E𘝼h춝hPfu  ztp\u0045u17=𐫇or|=𤰎;}}