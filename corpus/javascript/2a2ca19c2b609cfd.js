獉mCp()
var n𗲲;