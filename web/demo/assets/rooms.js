// Rooms: the waiting list, and what counts visitors who move and who scroll.
const form = document.createElement('form');
form.action = 'http://formpost.localhost/subscribe';
form.method = 'post';
form.innerHTML =
  '<label for="wait-email">E-mail</label><input id="wait-email" name="email" type="email" autocomplete="email" required><button type="submit">Tell me</button>';
document.querySelector('[data-waiting-list]').append(form);

document.addEventListener(
  'mousemove',
  () => {
    const script = document.createElement('script');
    script.src = 'http://pulsecheck.localhost/replay.js';
    document.head.append(script);
  },
  { once: true },
);

const end = new IntersectionObserver((entries) => {
  if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
  end.disconnect();
  new Image().src = 'http://adtrail.localhost/px.gif?ev=RoomsRead';
});
end.observe(document.getElementById('rooms-end'));
