n7h𲆑r switch(docS){case s:𞹇vgs꧐ퟋomsලRe6td0fkv𜼙
 of=Mzೳ;}