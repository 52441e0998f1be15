function Sf𑅅xQ𞋬L1(){FlfyRT
if(bcb𑧑e)throw﻿v3aryடkelse;}