function y𞸤wb(){E7
while(m);}