function Ὂbl(){return D-鉜0e9 for(l()[𐲀Wl𑲪0]
in u𞊮lpojUॐ,wt)return﻿{L𭐽5:e0ꬉf};}