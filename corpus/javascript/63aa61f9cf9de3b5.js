--𘔦_^--f𝉂x66H&--tၮ𖄬F𨸀^--cmsifS^--dQ𓑏႙p𫆲ns^bCePx5ਸun^K𞟮Ng0𩾕m^oJऄYnH𪵻੦b^tu᥏7fVw^tyi^ۥ3efrw^a^a^a^a^a^a^a^a^a?a:a
for(a?a=a:a;;);