function lu(){Vo6c𑼴꣐pw௦𜼄𑐴u4yn
switch(u‍ꦊh7e){case oy:nO𐨓ufor(var y in ᱽA𖾑𑪐){}}}