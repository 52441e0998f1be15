function y᥈t(){do no7cjxh:{}while(v)
var kp;}