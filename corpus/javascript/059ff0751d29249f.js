function tebૹ(){e5oͿuE
switch(𬭌ds𑴆){case mf:gwhile(xp_,oKHો)Joyꭰ🯵P;}}