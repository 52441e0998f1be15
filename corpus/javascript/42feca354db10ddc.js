h
switch(𣠺V){case 惆mඳⁱp:try{var n}catch(i특){tiwk𑼂}finally{debugger}}