ych[ns]&=xE竕orୣE
 mkizsq:throw 0x6>g𑪖1friw;--ᝫ&&--뾋ꩍꫝ|--𑼄ⷆanmhn𖫀&&--y&&--c&&k&&T549d믷on&&Nኁ&&atRYoDN𬋣r𑊈At&&Im&&ၮꂽho𦸫&&a&&a&&a&&a&&a&&a&&a&&a&&a?a:a