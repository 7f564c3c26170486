// Records how the pointer moves, for visitors who move it.
document.addEventListener(
  'mousemove',
  () => {
    const script = document.createElement('script');
    script.src = 'http://pulsecheck.localhost/replay.js';
    document.head.append(script);
  },
  { once: true },
);
