--𘔦_!=--ylf6H>=--oF𨸀==--uifS<=--𨩮႙p𫆲ns===--TPx5ਸun in --Ng0𩾕m!==--𧪚צּ>Dy!=淂b<v᥏7fVw!=yi!=P7𑠳rw
instanceof𢮆ttv𐠈im_nfQ!=a!=俜fes!=Drⁿᥴiaw!=xk!=aQ3Z𭀃Pp!=𰔭c𓑏r2𑁆!=js!=dꣷ᧕xG!=a!=a!=a?a:a
for(a===a;;);