// Brings the chat, a moment after the page.
setTimeout(() => {
  const script = document.createElement('script');
  script.src = 'http://chatterbox.localhost/chat.js';
  document.body.append(script);
}, 600);
