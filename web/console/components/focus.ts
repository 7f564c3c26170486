/** How many focused elements are remembered. */
const HISTORY_LENGTH = 30;
/** Mantine marks an invalid password field with `data-invalid`, and a group of checkboxes with `data-error`. */
const INVALID =
  'input[data-invalid], [aria-invalid=true], .mantine-CheckboxGroup-root[data-error] input:not(:disabled)';
const FOCUSABLE = 'a[href], button, input, select, textarea';
/** Pages that are not rendered have no animation frames, so the focus is also checked after this time. */
const CHECK_WITHOUT_FRAME_MS = 500;

const isLoading = (element: HTMLElement): boolean => 'loading' in element.dataset;
/** Whether an element can have the focus, now or when it has finished loading. */
const canHaveFocus = (element: HTMLElement): boolean =>
  element.isConnected &&
  element.checkVisibility({ visibilityProperty: true }) &&
  (isLoading(element) || !element.matches(':disabled'));

/**
 * The element to focus in place of a removed or disabled one, in the innermost ancestor that has one: the element that
 * had the focus last, or the nearest one. In a list from which an item was removed, the nearest one.
 * @param history elements that had the focus, the latest last
 * @param ancestors of the lost element, from the inside
 * @param nearest elements that followed the lost one, then those before it from the nearest
 */
function findReplacement(
  history: readonly HTMLElement[],
  ancestors: readonly Element[],
  nearest: readonly HTMLElement[],
): HTMLElement | null {
  const main = ancestors.findIndex((element) => element.matches('main'));
  // Dialogs are outside of `main`. The focus returns to the element that opened them.
  if (main < 0) return history.findLast(canHaveFocus) ?? findStart();
  const wasItem = ancestors.some((element) => !element.isConnected && element.matches('li, tr'));
  const latest = history.toReversed();
  const candidates = wasItem ? [...nearest, ...latest] : [...latest, ...nearest];
  for (const ancestor of ancestors.slice(0, main)) {
    const found =
      candidates.find((element) => canHaveFocus(element) && ancestor.contains(element)) ??
      [...ancestor.querySelectorAll<HTMLElement>(FOCUSABLE)].find(canHaveFocus);
    if (found) return found;
  }
  return findStart();
}

/** The other elements of the page that can have the focus: what follows an element, then what precedes it, backwards. */
function listNearest(element: HTMLElement): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>(`main :is(${FOCUSABLE})`)];
  const index = all.indexOf(element);
  return [...all.slice(index + 1), ...all.slice(0, Math.max(index, 0)).toReversed()];
}

/** The title of the page, or its first focusable element. */
const findStart = () =>
  document.querySelector<HTMLElement>('main h1[tabindex]') ??
  document.querySelector<HTMLElement>(`main :is(${FOCUSABLE})`);

/** @returns whether the form has an invalid field */
export function focusInvalidField(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLElement>(INVALID);
  // Screen readers say the error of a field that gets the focus, and nothing of one that already has it.
  if (field === document.activeElement) field?.blur();
  field?.focus();
  return field !== null;
}

/** Focuses the first invalid field of each form that is submitted from now on. */
export function focusFirstErrorOnSubmit(): void {
  document.addEventListener('submit', ({ target: form }) => {
    // Other listeners mark invalid fields first.
    setTimeout(() => focusInvalidField(form as HTMLFormElement));
  });
}

/**
 * From now on, moves the focus to the nearest element when the focused one is removed, hidden or disabled. Browsers move
 * it to the top of the page, where keyboard and screen reader users would have to start again.
 */
export function restoreLostFocus(): void {
  let history: HTMLElement[] = [];
  let ancestors: Element[] = [];
  let nearest: HTMLElement[] = [];
  let wasDisabled = false;
  let usesPointer = false;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  document.addEventListener('keydown', () => (usesPointer = false), true);
  document.addEventListener(
    'pointerdown',
    () => {
      usesPointer = true;
      wasDisabled = false;
    },
    true,
  );
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    history = [...history.filter((element) => element !== target), target].slice(-HISTORY_LENGTH);
    ancestors = [];
    for (let parent = target.parentElement; parent; parent = parent.parentElement)
      ancestors.push(parent);
    nearest = listNearest(target);
    wasDisabled = false;
  });

  const restore = () => {
    const last = history.at(-1);
    if (!last || document.activeElement !== document.body) return;
    // Scrolling would move the content away from the pointer.
    if (!canHaveFocus(last))
      findReplacement(history, ancestors, nearest)?.focus({ preventScroll: usesPointer });
    else if (isLoading(last)) return;
    else if (wasDisabled) last.focus();
    // The user has clicked beside all elements.
    else history = [];
  };
  const schedule = () => {
    // The element can be enabled again before the check.
    wasDisabled ||= history.at(-1)?.matches(':disabled') ?? false;
    // An earlier check would find an element disabled that is disabled for one frame only.
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = setTimeout(restore, CHECK_WITHOUT_FRAME_MS);
    // A disabled element loses the focus when it is rendered.
    frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      timer = setTimeout(restore);
    });
  };
  // On a busy machine, a disabled element can lose the focus after the check that its mutation scheduled.
  document.addEventListener('focusout', schedule);
  new MutationObserver(schedule).observe(document.body, {
    subtree: true,
    childList: true,
    // A button can be off after it was loading, which changes only the second one.
    attributeFilter: ['disabled', 'data-loading', 'hidden'],
  });
}
