function yb닔e(){caƾfcuE6s
do{do;while(𠡅)}while(l𮏾𪎋);}