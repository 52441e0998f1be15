do for(var i in
E){}while(ﱁYw𗾀kゝgຣrFM𦝶) var aੋ4ㆠc;