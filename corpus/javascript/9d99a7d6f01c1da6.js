function m𪟍(){i距wa block:loop:do if(eB)return
else;while(𩂃yr);}