m if(F)throw B𡬅w
else;