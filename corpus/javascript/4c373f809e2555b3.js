function lv99(){return (P)&&fe5vg
var 𧍂ad𑑆2rr𣁇𑂃Wtiw駪tା𞺥;}