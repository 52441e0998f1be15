C̎yJe()[--giૹ𖵶][--kE󠄅ua]	--
var nHu;