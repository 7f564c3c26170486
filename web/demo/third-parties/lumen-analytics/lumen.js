// Counts a visit: a cookie and a storage key with the site, an image and a beacon to itself.
(() => {
  document.cookie = '_lumen=demo; path=/demo/; max-age=34164000; samesite=lax';
  localStorage.setItem('lumen.session', 'demo');
  new Image().src = 'http://lumen-analytics.localhost/hit.gif?page=visit';
  navigator.sendBeacon('http://lumen-analytics.localhost/collect', 'event=visit');
})();
