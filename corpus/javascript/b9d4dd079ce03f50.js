function KLH(){ࡪ𢤢
block:loop:do with(m,c󠅱b9m)throw　new VttJଏt𩼕pd𐨆ⵧ();while(T);}