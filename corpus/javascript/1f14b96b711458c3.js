mi2[--y𐝀,--𗟐7v] --
var f;