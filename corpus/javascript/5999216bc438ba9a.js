var zsu8𝛣nf󠇈xQYkd𦯁=졽፟xi=ˤ
var tQ9𓾉;