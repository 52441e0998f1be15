c݊𒍮X
do;while(𧻰w𖬴𠓯ੋkX);