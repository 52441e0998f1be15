function n(){return 庄TD===S
 rhbhnx:k믇7𑇘b;}