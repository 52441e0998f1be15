--j!==--x50 instanceof --m===--〡ꩺ0E𝩘6dwpht9𐊀i>=--h!=--uૺpjz𥵽c
in --v﹏==--I𛅰ᢁs<=SZ!=o<mꣲw!=gtfꠢᤞ᳨yi!=ൟng𑍄p>tfB!=ও8!=DQ!=ldcyt!=t2p𝔅𡲎nd!=t𜳴𠒬!=Cx8!=g!=𰀭rF5wsP!=똞Qr𑚔𝟞藧𜳹lG8!=a!=a?a:a
for(a=a;;);