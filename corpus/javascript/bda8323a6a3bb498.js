function 𐨗(){G8
block:loop:do if(𗵏)break
else;while(k𡔓lkcbuorsൿ𑗛𑊆l);}