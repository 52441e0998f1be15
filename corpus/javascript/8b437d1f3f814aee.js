function Somi𤣷iD(){s
block:loop:do soꫀo𐤀U6rx17󠄩=oF𣛦A=ႎ๙6𥶱;while(ⶖ);}