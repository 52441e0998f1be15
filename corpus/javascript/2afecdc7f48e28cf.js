function b󠄂8Vyꯢlაv(){ffor((Ul)in
ꞈ3);}