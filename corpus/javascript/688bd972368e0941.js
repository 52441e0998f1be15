function idK91qfu𑑡2g4H𞸡6Hsy(){uswitch(gr𲋮BA9ܒv){case Na႔Bdzp:R𱚏ￜfif(iꟲ5W)throw e
else;}}