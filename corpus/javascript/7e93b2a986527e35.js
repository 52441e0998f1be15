function i(){FmT༘
if(a);else;}