function cYp(){hK𞋸L9m8
block:loop:do return--鞡;while(c8jD);}