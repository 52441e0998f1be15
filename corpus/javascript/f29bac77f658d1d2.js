function 𑴆h(){return Jm0ۥch instanceofantry{gnpVfor(slV𐺰Nkꬆn𑧐s[y]
in Wv)for(Ahୣ[h间8bEr𑊨𖫀g]in r,a0l롐)return (g𐏕),Az𞋬dx;do;while(𞸅cX)}catch(𢨆၂ූtuႏ9h𫘜){𢀡lw𞺻ᶐ𑍴}}