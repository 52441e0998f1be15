function lnm(){gZknFk5lk switch(RmfQx𘭺0JN){case ቔ:c𭼁ꠋa
do mi倶cdy;while(cꠋ,𢣥g0);}}