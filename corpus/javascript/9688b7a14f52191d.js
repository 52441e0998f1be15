do while(BDcb𑥙)var wt𢞥;while(l8)
var y𞀘u𗡔A𜽆7;