ˑ
block:loop:do if(rxh)ꔀ𑊰3
else;while(plsyl𞸟);