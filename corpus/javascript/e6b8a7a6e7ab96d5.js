function w𱎑ty(){return﻿(zgBGQⷎ) in
𢃽𑯹𐺀wevar 𞹉ZPa𑀸X𤘪;}