function ᢪꪵrx55𝒹6nuቍXpൈ(){do o3hliqy:{}while(w)
var qhka;}