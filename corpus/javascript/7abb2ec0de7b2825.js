function ih𱱊µ𑍐vv衠𓞿(){return (a𝼞뮛)&&w
var Z;}