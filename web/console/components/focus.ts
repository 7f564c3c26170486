/** So many stops back are known. */
const REMEMBERED = 30;
/** Of a password the kit says it in its own way. */
const MISTAKEN = 'input[data-invalid], [aria-invalid=true]';
const STOPS = 'a[href], button, input, select, textarea';
/** After so long without a frame, the focus is looked at without one. A page that is not drawn has none. */
const FRAMELESS_MS = 500;

const isBusy = (stop: HTMLElement): boolean => 'loading' in stop.dataset;
/** Whether it can have the focus, now or once what it does is done. */
const isThere = (stop: HTMLElement): boolean =>
  stop.isConnected &&
  stop.checkVisibility({ visibilityProperty: true }) &&
  (isBusy(stop) || !stop.matches(':disabled'));

/** What one was at before, in the smallest part of the screen that is left; or what is first in it. */
function nearest(stops: readonly HTMLElement[], around: readonly Element[]): HTMLElement | null {
  const main = around.findIndex((place) => place.matches('main'));
  // A dialog lies over everything, and gives back to where it was opened.
  if (main < 0) return stops.findLast(isThere) ?? title();
  for (const place of around.slice(0, main)) {
    const found =
      stops.findLast((stop) => isThere(stop) && place.contains(stop)) ??
      [...place.querySelectorAll<HTMLElement>(STOPS)].find(isThere);
    if (found) return found;
  }
  return title();
}

const title = () =>
  document.querySelector<HTMLElement>('main h1[tabindex]') ??
  document.querySelector<HTMLElement>(`main :is(${STOPS})`);

/** To the first mistake in a form that is marked as one. */
export const focusInvalidField = (form: HTMLFormElement): void =>
  form.querySelector<HTMLElement>(MISTAKEN)?.focus();

/** From then on a form that is not sent for what stands in it leads to its first mistake. */
export function focusFirstErrorOnSubmit(): void {
  document.addEventListener('submit', ({ target: form }) => {
    // It is marked when all who listen have heard.
    setTimeout(() => focusInvalidField(form as HTMLFormElement));
  });
}

/**
 * From then on the focus is never lost. What has it may be deleted, closed or switched off; then what
 * is nearest of all that is left takes it, since keyboard and screen reader users would
 * otherwise start again at the top of the page.
 */
export function restoreLostFocus(): void {
  let stops: HTMLElement[] = [];
  let around: Element[] = [];
  let wasOff = false;
  let isAsked = false;
  let isPointing = false;

  document.addEventListener('keydown', () => (isPointing = false), true);
  document.addEventListener(
    'pointerdown',
    () => {
      isPointing = true;
      wasOff = false;
    },
    true,
  );
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    stops = [...stops.filter((stop) => stop !== target), target].slice(-REMEMBERED);
    around = [];
    for (let place = target.parentElement; place; place = place.parentElement) around.push(place);
    wasOff = false;
  });

  const look = () => {
    isAsked = false;
    const last = stops.at(-1);
    if (!last || document.activeElement !== document.body) return;
    // Who points looks at what they point at: it stays where it is.
    if (!isThere(last)) nearest(stops, around)?.focus({ preventScroll: isPointing });
    else if (isBusy(last)) return;
    else if (wasOff) last.focus();
    // It was left for nothing, by a click beside everything.
    else stops = [];
  };
  const lookSoon = () => {
    // It may be on again before the next look at it.
    wasOff ||= stops.at(-1)?.matches(':disabled') ?? false;
    if (isAsked) return;
    isAsked = true;
    // What is switched off loses the focus when it is drawn.
    requestAnimationFrame(() => setTimeout(look));
    setTimeout(look, FRAMELESS_MS);
  };
  // On a busy machine a disabled element may lose the focus only after the look that its change asked for.
  document.addEventListener('focusout', lookSoon);
  new MutationObserver(lookSoon).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden'],
  });
}
