throw - j$x\u0059　--
for(m>>>=E^=Ye𘲎p-=ts7eໄ𞺡𫠏b2r𐠸/= cmdῬ&=m+=s*=--bY5d===--c>>--h!=--𑼒
instanceof
--cd>--𐀦𑜸!=--𒇰>--vtKps<--fX>--gx!=--j𢞷BwgUs>=--XfpEXd<=--df𢍘𑑟ﳭ>--htൟ𣕮fohlpmJjeWW>F𑥁!=O챛ºec0p5ৈL!=v𩣰tk𑪖d!=f!=k!=I9r===l0xo?e삿|=v:p=o>𑎋!==vHbl||--𦉨o𗪰exh&--tb鬂ꢁinstanceof
--u&--k<--Ro_b&--U>=--𨻧&--g<=v&bo&jp&u,𑎷?bh4𠦧M=conᙬ:y𝟠|=u17U𞸲yᲺഃ𛅐𜼭vCh;r3nၭ,unMd𥙻𪧍𑜚Cob4k;ir,יִ)this()()()()()()()()()()()()()()[--a]()[--a]()[a]()[a].a()()[a]().a=a;