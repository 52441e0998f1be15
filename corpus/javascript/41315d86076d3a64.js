ˑ
block:loop:do if(rxh)var 𑊰3;while(𩫛lsyl𞸟);