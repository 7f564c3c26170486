// Journal: reading is counted where it is allowed.
document.addEventListener('pavis:consent', ({ detail }) => {
  if (detail.accepted.includes('analytics')) {
    navigator.sendBeacon('http://lumen-analytics.localhost/collect', 'event=read');
  }
});
