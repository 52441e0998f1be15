function dcbp(){z
block:loop:do return{};while(滽);}