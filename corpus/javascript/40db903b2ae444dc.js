function ꬨsy2x(){return (ud푯T)+Yw
var yr𓭋;}