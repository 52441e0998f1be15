Q﻿--
var 𝒩;