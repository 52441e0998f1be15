function x(){wkt
for(var q𐵩te;;);}