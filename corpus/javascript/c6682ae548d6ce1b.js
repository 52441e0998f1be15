function aibo𰘱kKlN🯹(){ନG switch(𡄮n){case p:txem
do{}while(ꨚ𡺭);}}