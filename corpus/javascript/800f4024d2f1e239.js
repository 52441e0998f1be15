sZຣ
block:loop:do if(춷8)𧎃;else dae\u0024=zmf4t=iyH𮮐8v;while(zW);