throw　(zg೧M)
in tD薑
var lbi;