// The player within its frame: its own cookie, its captions, a count of the view, and a partner's pixel.
(() => {
  document.cookie = 'clip_volume=80; path=/; max-age=2592000; samesite=none; secure';
  fetch('http://clipframe.localhost/api/captions.json')
    .then((response) => response.json())
    .then(({ captions }) => {
      document.getElementById('captions').textContent = captions[0];
    });
  new Image().src = 'http://clipframe.localhost/view.gif';
  new Image().src = 'http://adtrail.localhost/px.gif?ev=Film';
})();
