B4Km𖾇R𖭙D43lU
block:loop:do try{debugger}catch(to){break}while(𐵏4);