// Home: the weather now, for everybody; the days to come, for those who allow it.
const box = document.querySelector('[data-weather]');

async function ask(path) {
  const response = await fetch(`http://weathervane.localhost/${path}`);
  return response.json();
}

ask('now.json')
  .then(({ celsius, sky }) => {
    box.querySelector('[data-now]').textContent = `${celsius} °C, ${sky}`;
  })
  .catch(() => {
    box.querySelector('[data-now]').textContent = 'Look out of the window.';
  });

document.addEventListener('pavis:consent', async ({ detail }) => {
  if (!detail.accepted.includes('personalisation')) return;
  const { days } = await ask('forecast.json');
  box.querySelector('[data-forecast]').textContent = `Then ${days.join(', ')}.`;
});
