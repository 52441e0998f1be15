[lJ,,].N().𗺊z.function|=g07hdc𤾕
for(eG4y𰠳Pga𝨉>hR;;){--d𞣖6&&--Kl𑚸|--y2E&&--ۿb𑪖1friw&&--ℯpgv1Sa𢺸XcY&&D󠅌im&&w&&sᝫ&&P&&z5&&c&&a&&a&&a&&a&&a?a:a}