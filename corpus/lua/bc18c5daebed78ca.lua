local function lsacxtnE()repeat do;::again::;if nil>nil
then;goto again end;end until 1;for iT=0,6,''do end end