function 힣(){Sn𐻂vRⷠc if(a)return Sf𑅅xQ𞋬L1
else;}