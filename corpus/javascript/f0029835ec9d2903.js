function ᮯᬂypy(){vaa᷃
try{}catch(aul\u0024cQ){}}