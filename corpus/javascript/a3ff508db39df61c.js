--y১qஂ𑧡&&--Nhell|--ண𡘝p7Ῥෞe&&--ğᚠtx&&--ࢠhf&&𒐀&&𫰃ur&&kPaಽ7ؚr_&&C7a&&yp&&qho3&&a&&a&&a&&a&&a&&a&&a&&a&&a?a:a
for(a==a;;);