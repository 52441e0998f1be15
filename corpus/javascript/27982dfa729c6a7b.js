𭒿dກB block:loop:do if(J𮏑ੇe)continue loop
else;while(峹co𓂄);