// Remembers the visitor with the site, and counts a view.
(() => {
  document.cookie = '_adtrail=demo; path=/demo/; max-age=7776000; samesite=lax';
  new Image().src = 'http://adtrail.localhost/view.gif?ev=Offer';
})();
