function mw(){h࡛gJ9K
block:loop:while(xf𧒘k,i5w⃐𝔔)break loop;}