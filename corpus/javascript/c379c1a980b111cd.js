function 𝔞a1Hz(){x switch(𩒤n){case 뤊tfLS:Rfor((b_1k଼𞄬l)in
𑘀o);}}