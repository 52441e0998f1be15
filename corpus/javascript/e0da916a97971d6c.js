function e(){𭷯癈5 switch(yob){case o:𐐢9$if(Bc)throw r𨎪3dysহ5rᮯc𲄧Z𖦞7
else;}}