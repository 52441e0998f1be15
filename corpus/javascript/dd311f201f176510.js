function ᢪꪵrx55𝒹6nuቍXpൈ(){do o3hliqy:var w;while(㗸aWa)
var g;}