function xyhgzn(){c྄4dL
switch(mg){case b:witwf for(var R;𨩨lລ;ᛸz)of=Y;}}