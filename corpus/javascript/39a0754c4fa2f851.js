throw eM/ sZ
var s਼𭟙t;