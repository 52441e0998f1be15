delete!ਏw
var YtZ좚;