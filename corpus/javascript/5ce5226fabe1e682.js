baf\u00524sM=s𝨋
var ufsbxYx𧟿s3Jn;