ꔀ𑊰3
block:loop:do if(plsyl𞸟)var 𧄿;while(iw8Rr𝛀fഃ0h3E0d𛅤);