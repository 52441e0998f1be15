function ks(){WJd𧨭mswitch(cyMgZ1kiZg){case q𑯱𑇚ຣd9r𑦠:Ǭfor(a𘬣nl in
zꫛ꧙r)var n;}}