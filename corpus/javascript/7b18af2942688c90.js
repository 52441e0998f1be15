fja switch(k){case it:eᧉfa𧂵
for(var 𬆐𞊐Mf1hh𤷃fC in TsUty7aA𑋪){}}