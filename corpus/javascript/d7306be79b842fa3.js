function ydx2FlO(){jswitch(w8𑵘){case kͿu:ukxܰೢk𮍎if(tn)N
else;}}