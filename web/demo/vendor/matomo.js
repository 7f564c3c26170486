// Stands for a Matomo that the site runs itself: its file, its cookies, its counting image.
(() => {
  const keep = (name, seconds) => {
    document.cookie = `${name}=demo.1700000000; path=/demo/; max-age=${seconds}; samesite=lax`;
  };
  keep('_pk_id.1.6d0a', 33955200);
  keep('_pk_ses.1.6d0a', 1800);
  new Image().src = `/demo/vendor/matomo.php?idsite=1&rec=1&url=${encodeURIComponent(location.pathname)}`;
})();
