((mlꕝMdol))=Ὂbl
var yrmG꽫𑀷rw;