function n𜼄50𑾰h(){ci
block:loop:do throw! m𝔅౨;while(eꚞ4ᢇMW0u);}