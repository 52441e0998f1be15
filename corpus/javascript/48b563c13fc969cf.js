for(w()[yg೧M]
in J);