𐳀switch(T𪝜){case g:f59
do{}while(B4k𑏅7fs);}