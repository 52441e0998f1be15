function uႠeোl(){l8ൊ𑵕ExtMwpp
block:loop:do if(kⶾ);else;while(𨍠U);}