function cw(){ua5xntu
try{}catch(S){}}