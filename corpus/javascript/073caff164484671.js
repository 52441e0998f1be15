function i፞𣾎𢅘々Lnન𱌓w̩(){return of%idℨo
if(d㐀ঽ,z)return;}