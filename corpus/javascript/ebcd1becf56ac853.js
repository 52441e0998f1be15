axbK95
if(m〩8𑓇ꧯ㙤ww){}else;