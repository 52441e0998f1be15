function pgWਨ(){y1ikn৪𑍍acu0kuMs𛱝26for(㺋U්.𐖊 in
he);}