dqᦰ()[dvl𐵭𛀘,o𐵯p]=b9D𩻌sc
var b秊ಽ唑뎂;