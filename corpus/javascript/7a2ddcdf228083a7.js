kၠswitch(G){case ᢄ𑧒:d0
lwlxblivak:var c;}