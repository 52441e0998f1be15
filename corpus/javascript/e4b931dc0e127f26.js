do if(b9t𢞥)throw ar
else;while(y𞀘u𗡔A𜽆7) var hx;