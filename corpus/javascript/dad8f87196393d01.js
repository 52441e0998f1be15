function lv᜕Kvy(){_$ꚝ$e
switch(un4쳒Fؐ){case Zat6:vy2𭏿for(s𞹂xKb𞢹nerbiH()[ph]inv);}}