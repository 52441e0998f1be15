function X(){uif(y8rᩙf)debugger
else;}