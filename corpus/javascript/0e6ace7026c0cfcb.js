𝞈 switch(wW){case Ω:d_
try{}catch(of){}}