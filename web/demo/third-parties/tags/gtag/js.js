// The tag of one measurement id, loaded by the container.
(() => {
  document.cookie = '_ga_HER0NDEM0=GS2.1.s1700000000; path=/demo/; max-age=63072000; samesite=lax';
})();
