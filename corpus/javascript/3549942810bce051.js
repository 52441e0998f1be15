rꢴ𑣿for(var xe
inQ)e=க𑴋|=Kྐྵ𑠬bokfmB_;