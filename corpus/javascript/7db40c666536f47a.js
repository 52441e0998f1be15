--𫨈c()[--ﬀu]
var Cnca𬦞l1ఀmwꫠXf𥦝;