n block:loop:do if(wh𐋠bw6)throw 𖽐z
else;while(ℨ𤌓);