// Journal: the chat comes a moment after the page, and reading is counted where it is allowed.
setTimeout(() => {
  const script = document.createElement('script');
  script.src = 'http://chatterbox.localhost/chat.js';
  document.body.append(script);
}, 600);

document.addEventListener('pavis:consent', ({ detail }) => {
  if (detail.accepted.includes('analytics')) {
    navigator.sendBeacon('http://lumen-analytics.localhost/collect', 'event=read');
  }
});
