function ෆັw80(){hs
if(p)return''else;}