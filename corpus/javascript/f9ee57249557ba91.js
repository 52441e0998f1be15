function fe5vg(){return (𧍂ad𑑆2rr𣁇𑂃Wtiw駪tା𞺥).void
var eⷎ;}