function u(){return 𐂀oig
instanceof ᱏfhᥴtry{LS店2ae𑄳
block:loop:for(var 𪵹𦘱Ar3r匨=Ibt𩷆d
in c5,ci$)var 𑌵𩑙v𐵊m,iSurನ;c𖼀for(ozi[SrMn]
in dk27m)for(Ὀa3ც𑉁mlew𢭯rf𤟼[rinj𐏕]in efohC𝆭𑠴𝒢y𝼪ꠁ폍t,nvg𡘴𝝮)return (ᦀ𥫫)===𝒾f𞥔𖹉e;do;while(p)}catch(𐡕a){D}}