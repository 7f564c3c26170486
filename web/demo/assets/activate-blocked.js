// Activates elements that are blocked until consent to one of the accepted categories. For pages without the banner, which does this itself.
window.activateBlocked = (accepted) => {
  for (const element of document.querySelectorAll('[data-category]')) {
    if (!accepted.includes(element.dataset.category)) continue;
    if (element.dataset.src) element.src = element.dataset.src;
    if (element.type !== 'text/plain') continue;
    // A script that was parsed as text never runs: another has to take its place.
    const script = document.createElement('script');
    if (element.src) script.src = element.src;
    else script.textContent = element.textContent;
    element.replaceWith(script);
  }
};
