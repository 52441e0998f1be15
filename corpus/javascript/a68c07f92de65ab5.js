function VⅠB(){ㇿbps
block:loop:do if(pd౦9ᾼ)return'' else;while(j᳭);}