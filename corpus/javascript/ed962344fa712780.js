--(py揿n𗲽ߵ)
var l;