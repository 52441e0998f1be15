function Σnd2BH᯳𡊢p(){do for((𦶥u𝨨Pqx5r)
in hY);while(f)var O𖵬2as;}