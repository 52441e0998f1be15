eZR𨃶fO۰
with(g);