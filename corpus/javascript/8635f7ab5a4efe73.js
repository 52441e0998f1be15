function f𑈀9l𫍕諁cfla󠄈(){y
switch(p){case g2᳨:y𖾂Tᷥ;}}