function idℨo(){return	aCk>aঽ
 of=H6=𥣃;}