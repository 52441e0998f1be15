Ndo for(x()[UYeMB𝟣FIhlmgRi] in
n4j,s)My;while(oc);