pc𩩠𑍴IYJswitch(𗲕t){case sxhmYJａun1gᬽnGx:𡤳 if(b)var 𓭗lv𱩓x$dh扉
else;}