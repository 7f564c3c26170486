// Records how the pointer moves, for visitors who move it. The cookie is left from an old campaign.
document.cookie = '_fbp=fb.1.1700000000000.1000000000; path=/demo/; max-age=7776000; samesite=lax';
document.addEventListener(
  'mousemove',
  () => {
    const script = document.createElement('script');
    script.src = 'http://pulsecheck.localhost/replay.js';
    document.head.append(script);
  },
  { once: true },
);
