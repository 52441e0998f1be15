function lxg9l𫍕諁cfla󠄈(){y
if(p)g2᳨ else;}