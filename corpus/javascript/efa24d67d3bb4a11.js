x
switch(E){case khZocx6𠬿𢄉w𝟕:{throw x𡌀Afkd}}