function funYtcfEu𱾵v𥨯(){do do{}while(ٳj𑌓P닒);while(𘟙lc)
var fd𫈿‿ad;}