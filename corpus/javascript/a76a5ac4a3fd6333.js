function u癈5(){ni5 switch(ⅅNv){case 㺺0c:𪫦𨎪3dysহ5rᮯc𲄧Z𖦞7
if(B𞊭)return else;}}