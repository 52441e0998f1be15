function V(){return (𡞙8᜴ᳺ𫁥vৼy)
in gTvar 䁷etx46;}