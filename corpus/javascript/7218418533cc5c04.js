Mo94xVYrmyO᷾o5ⷞ8 switch(cniଓ𢁂b){case 䣏ᦇ:o9x𑑆U
try{break}catch(uxm\u004b){}}