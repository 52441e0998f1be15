ytr
if(tऺ)mghୄp1il𐽐eelse;