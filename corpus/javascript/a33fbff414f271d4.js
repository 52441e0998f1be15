function qy(){gNΐQuk𑃂lՖୡੈؚyu for((d茪) in
ﹴF);}