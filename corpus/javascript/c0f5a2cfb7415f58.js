qe
 jl0rmwl:{}