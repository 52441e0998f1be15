--z6y𞂏 in--cse>>>--gs instanceof
--V>>--o<--NA<=--ws6wvpG<<𱲛tm>Tnöv>=y>x50>_>ሓ9𰎒$〡ꩺ0E𝩘6dwpht9𐊀i>yh>sT>mtૺpjz𥵽c>l>w>Qwa>a>a!=a?a:a
for(a&a;;);