function WRge4ixC(){for(bha2𢋄1()[𔏺5] in kx$poM)with(itଃIu){switch(𤷝){default:continue
 pc9nxup:return	function(){};{;throw ! Àxehf
try{var I}catch(ﷻ𑎷_){continue}finally{return 𐕺5nX䆝ꙸ𖩰}break}case--P󠅊t7b𑇎dῠ:--r애 for(var OᶄwYᯱ𝩜oin--m)break;;}do;while(ওo)}}