function c᜴jn(){do if(uR)Xந꣐ else;while(𫕗𝆀𞀪lLkGxc)
var ᲊi󠅄Yo;}