function ced𖭒7(){return th&&F try{do;while(s𖭒𖭀ꟺ)
 bae\u004E=ఌࠖ;var ៗ8 var য়;return (fxoಽ)+py揿n𗲽ߵ
try{_𐼰 if(M)debugger;else t⃜y0=m_𐀼;throw (d6)>hu3ddꫯ4𑎐
with(Uscbၞd)var ￊk;D𝔖js㘾𖩀eࠥ︳u4sblock:loop:for(var _=x㣌inten3,uP7)var v𢉉1,j玕k𤂱6Ic;𧪂switch(Zy){default:var sf,ononv var 렎o,e々Lnન𱌓w̩;of=--r;return (--aঽ)>X debugger;throw (--ಀ)?t𑅄ℂv=--gิvl𑇘b:W前|=--ihm15lF𠮿
for(var rwk𑌳DnHk4u,tf浞L;--cdlM,--wtៜ;--a,--a);}}finally{}}finally{}}