eZR𨃶fO۰
block:loop:for(f̡ྙvc0𑜥,rS;ἕrໄdVx5l,cbꣾ;$𝩏n𭶦,𫨊)pMn;