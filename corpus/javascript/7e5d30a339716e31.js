do if(b9t𢞥)l8
else;while(y𞀘u𗡔A𜽆7) var hx;