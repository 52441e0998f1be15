i
block:loop:do with(htl9i구3)var 𧡋p;while(ຂb𘐤);