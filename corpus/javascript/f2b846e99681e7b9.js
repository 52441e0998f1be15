do bbnbvsqdxdey1tlbroyb:var kpp֚X;while(setଃIu)
var Rrch𤷝;