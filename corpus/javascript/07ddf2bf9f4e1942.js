function sꠁe(){ex왡switch(f𬴞qs){case wnx:𫖜lBS𥆖
try{break}catch(g){return}}}