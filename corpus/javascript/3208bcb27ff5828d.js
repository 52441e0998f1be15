function fN𩴮(){mᢀn𗬯Yt
if(T𐎀h)yu else;}