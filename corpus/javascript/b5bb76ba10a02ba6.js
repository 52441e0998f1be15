function uR(){do if(Xந꣐)return　𫕗𝆀𞀪lLkGxc
else;while(ᲊi󠅄Yo)
var q;}