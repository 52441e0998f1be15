function Is0𑩒d(){Ꭰ
switch(ꘌ𑐵auj){case o𑖮:v6Mྖ with(l){}}}