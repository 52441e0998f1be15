function Zs〩4𨅡ࢠ(){𝑹
switch(ON𐤕0){case sW2:dᳮhpjgd
if(E)var ꘌ𑐵auj else;}}