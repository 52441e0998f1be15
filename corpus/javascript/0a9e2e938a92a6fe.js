function QN𩴮(){mᢀn𗬯Yt
for(var T𐎀h;;){debugger}}