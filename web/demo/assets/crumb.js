// Winter offer: the notice that its agency brought along, which knows all or nothing.
const notice = document.getElementById('crumb');
notice.hidden = /(?:^|; )crumb_choice=/.test(document.cookie);

notice.addEventListener('click', ({ target }) => {
  const choice = target.dataset.crumb;
  if (!choice) return;
  document.cookie = `crumb_choice=${choice}; path=/demo/; max-age=15552000; samesite=lax`;
  notice.hidden = true;
  if (choice === 'accept') startPartners();
});
if (/(?:^|; )crumb_choice=accept/.test(document.cookie)) startPartners();

function startPartners() {
  window.activateBlocked(['analytics', 'marketing', 'personalisation']);
  const film = document.createElement('iframe');
  film.src = 'http://clipframe.localhost/embed/a-walk-through';
  film.title = 'Film: a walk through the house';
  const frame = document.createElement('div');
  frame.className = 'frame';
  frame.append(film);
  document.querySelector('.prose').append(frame);

  const request = new XMLHttpRequest();
  request.open('POST', 'http://lumen-analytics.localhost/collect');
  request.send('event=offer');
}
