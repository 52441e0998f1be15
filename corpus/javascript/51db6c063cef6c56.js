function Z᪐wvsh(){ꡀ
switch(o𞗯8sၲ){case jo4o:ⷐuァgVif(gXཇ84쳒Fؐ)var ft6;}}