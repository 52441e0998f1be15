q
for(m8().𐨀᩷Z$  iniyE᪂s᪷);