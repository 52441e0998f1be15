function dx𨢞(){l᳭Oy𑵪oٙ씎block:loop:do if(分Zwqfdxwk)continue
else;while(醠yჍb);}