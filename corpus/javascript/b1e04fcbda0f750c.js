i𧔡v𣱬ॐ𑫸𱘌z5n
switch(M𠽋ັ3){case nbehృ𞹇𱥢ybgsskiu琜klx65:𡎬g for(var td4oퟆ;;);}