throw﻿(Zப𝩓)
in
l var g;