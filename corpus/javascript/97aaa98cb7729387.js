s𦘜
block:loop:for(var Sy𤭯𦤝ក in ygꪴ)for(var Daܾ𑾰𐲀1d𨪮
inH){𓑢p𤄋
for(惆mඳⁱp[𦿚N0T특]
in r𑏑wk𑼂)if(uᏨwoᨗ9䴘ylౄ,𮱬n4)--rhkꣅh𝅿ikboI۹共;do with(y𑵆)srhnicaisa:switch(--gŭohmhp1){default:;case--g𧉗:}while(j)}