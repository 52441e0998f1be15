repeat until'\
';