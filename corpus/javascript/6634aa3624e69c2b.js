function 𧿄PR𑦧ᬄ𒾩(){w
switch(v){case foqwvAN:k try{break}finally{debugger}}}