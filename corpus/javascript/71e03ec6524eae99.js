rꢴ𑣿for(xe
inQ){}