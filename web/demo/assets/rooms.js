// Rooms: the waiting list.
const form = document.createElement('form');
form.action = 'http://formpost.localhost/subscribe';
form.method = 'post';
form.innerHTML =
  '<label for="wait-email">Email</label><input id="wait-email" name="email" type="email" autocomplete="email" required><button type="submit">Tell me</button>';
document.querySelector('[data-waiting-list]').append(form);
