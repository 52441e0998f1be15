function p𬙞oY𒎙v𠄣(){FT
switch(bnB){case eag5:kO do for(var ww_;H𞹗kf,i𠚿H00i;NArઑP1Yeb4i,ab)\u004bb=hyhᨠ𬼯5h𐡶qp0䛕9;while(_i);}}