function b(){if(y)var 呗t0𢳮v𦦤eา5WeY
else{debugger}}