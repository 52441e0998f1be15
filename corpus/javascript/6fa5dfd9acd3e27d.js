Mv󠄁r૯ for(ᶺlitj倂iC in
n5);