function vtॗ5T(){if(irh)var ᲲZՠ7𞹗6hf
else;}