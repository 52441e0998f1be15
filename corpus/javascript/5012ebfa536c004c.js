(𐔰lcj5KbA7oᬾ[--Kionୗmbc]) --
var T;