function ল347𝐀wlࣴ(){return (ꩾꓽmj𑊟Jⶰwpem󠅸𣚬ibW)<g4𞊭p᩿𑍐q
var sࠨk;}