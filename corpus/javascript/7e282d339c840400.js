function ৼfࣉﷻ𑎷_(){for((ꙃ𐕺5nX䆝ꙸ𖩰)
inn);}