function r(){𬻉
block:loop:do if(t𓦥᤻)var h;else{}while(b𖽓v);}