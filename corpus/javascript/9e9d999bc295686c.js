s3iK
block:loop:do try{}catch(of){}while(p);