ᦰ𜼫5c.Tn[𣩛HS𒉪qifx3b]=aA𐏑
var g𧈊ந2An$I;