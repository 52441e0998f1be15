function Diऽ𘴈2(){v
switch(d){case n9ox𭢑:return ! wቝf if(ળ4𐖹𱢔)throw 𝔞gZ .a;else tdSvYk𦪍W;}}