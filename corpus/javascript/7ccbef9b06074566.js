function w(){wvjtp2g𝒢s block:loop:for((eg)
in G𦌧$);}