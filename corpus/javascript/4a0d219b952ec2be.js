function r𑵁w(){OxY
for(var wu;;);}