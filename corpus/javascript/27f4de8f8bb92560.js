V𑋥
block:loop:do ni09mhbecdyzgeq1t:;while(H);