function 𧿄PR𑦧ᬄ𒾩(){w
block:loop:do with(qwvAN,k)break loop;while(h𪓋O8);}