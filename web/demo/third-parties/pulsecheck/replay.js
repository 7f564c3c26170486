// Watches how the pointer moves and tells its maker. Nobody wrote down that the site has it.
fetch('http://pulsecheck.localhost/events', { method: 'POST', body: 'moves=1' }).catch(() => {});
