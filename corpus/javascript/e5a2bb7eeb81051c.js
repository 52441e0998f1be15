function 𝑹(){𓷱dswitch(擧᠏){case ZW2:dᳮhpjgd
with(E);}}