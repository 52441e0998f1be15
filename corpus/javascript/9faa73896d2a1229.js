function ᢪꪵrx55𝒹6nuቍXpൈ(){do for(var h=K4𞥊 in
qhka,𣫪)var লX𥤚ၱ;while(R) var r;}