do for($𝕐ౣwn𜼅.L in htl9i구3){}while(mp)
var ꦄྮ𣊏bQP;