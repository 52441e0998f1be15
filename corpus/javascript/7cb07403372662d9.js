function ⅅNv(){㺺0c
switch(r𨎪3dysহ5rᮯc𲄧Z𖦞7){case I:w if(𪸽)returnJn else;}}