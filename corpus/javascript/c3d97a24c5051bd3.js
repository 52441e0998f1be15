ႎdnx𑵆 switch(𞹝𑻴6V){case o𩇌F鎞９ŭohmhp1:c݊𒍮X
if(mw𖬴𠓯ੋkX)ePo;else{throw w}}