import type { Decision, Rules, Situation } from './decision.ts';
import type { Consent } from './model.ts';
import { confirmsOptOut, decideOptOut as decide, renewOptOut } from './opt-out.ts';
import css from './regime.css?inline';
import { makeRoom } from './room.ts';
import type { Choice, FirstTexts } from './wire.ts';

/** @param keep stores a choice in the browser */
export function decideOptOut(situation: Situation, keep: (choice: Choice) => void): Decision {
  const choice = situation.choice ?? readInTab();
  if (!choice) return decide(situation);
  // The page is reloaded after an opt-out: without a cookie, everything would run again.
  if (situation.choice) keepInTab(choice);
  else keep(choice);
  renewOptOut(choice, keep);
  return decide({ ...situation, choice });
}

function readInTab(): Choice | undefined {
  try {
    return JSON.parse(sessionStorage.pavis_consent);
  } catch {
    return undefined;
  }
}

function keepInTab(choice: Choice): void {
  try {
    if (/(^|; )pavis_consent=/.test(document.cookie)) delete sessionStorage.pavis_consent;
    else sessionStorage.pavis_consent = JSON.stringify(choice);
  } catch {
    // Browsers can deny access to both.
  }
}

/** The icon beside “Your Privacy Choices”, by 11 CCR § 7015(b): its shapes in their order. */
const ICON: [name: string, attributes: Record<string, string>][] = [
  ['rect', { width: '30', height: '14', rx: '7', fill: '#06f' }],
  ['path', { d: 'M7.5 1.2h9.8l-3.1 11.6H7.5a5.8 5.8 0 0 1 0-11.6z', fill: '#fff' }],
  ['path', { d: 'm5.3 7.2 2.3 2.1 4.3-5', stroke: '#06f' }],
  ['path', { d: 'm19.3 4.2 5.2 5.6m0-5.6-5.2 5.6', stroke: '#fff' }],
];

/** Not from HTML, which a Content Security Policy with trusted types refuses. */
function drawIcon(): SVGElement {
  const draw = (name: string, attributes: Record<string, string>) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name) as SVGElement;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const icon = draw('svg', {
    viewBox: '0 0 30 14',
    'aria-hidden': 'true',
    fill: 'none',
    'stroke-width': '1.4',
    'stroke-linecap': 'round',
  });
  icon.append(...ICON.map((shape) => draw(...shape)));
  return icon;
}

/** Shows what rules require besides the question: the link to opt out, the confirmation of a signal, and notices. */
export function showRegime(
  root: ShadowRoot,
  consent: Consent,
  texts: FirstTexts,
  rules: Rules = {},
): void {
  const { opt_out_message, opt_out_text = '', opted_out_text = '', own_use_text = '' } = texts;
  const find = (selector: string) => root.querySelector<HTMLElement>(selector) as HTMLElement;
  const message = find('#message');
  const [icon] = root.querySelectorAll<HTMLElement>('section button');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);

  const notice = create('p', 'notice');
  message.after(notice);
  if (rules.opt_out && opt_out_message) message.textContent = opt_out_message;
  const confirmation = create('p', '');
  confirmation.role = 'status';
  const choices = create('section', 'choices');
  choices.lang = texts.language;
  choices.dir = texts.direction;
  choices.ariaLabel = opt_out_text;
  if (rules.opt_out_link && icon && icon.dataset.position !== 'off') {
    // In place of the icon, which it presses.
    const link = create('button', '');
    link.append(drawIcon(), opt_out_text);
    link.onclick = () => icon.click();
    choices.append(link);
    choices.dataset.position = icon.dataset.position ?? '';
    icon.remove();
  }
  choices.append(confirmation);
  root.append(choices);
  if (!choices.dataset.position?.startsWith('top')) makeRoom(choices);

  function update(): void {
    const { action, accepted } = consent.state;
    const confirmed = confirmsOptOut(rules, action) ? opted_out_text : '';
    confirmation.textContent = confirmed;
    const names = (rules.exempt ?? [])
      .filter((id) => !action && accepted.includes(id))
      .map((id) => texts.categories?.[id]?.label ?? id);
    notice.textContent = names[0]
      ? own_use_text.replace('{categories}', listNames(names, texts.language))
      : confirmed;
  }
  consent.onChange(update);
  update();
}

function create(name: string, className: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

/** Banner versions from before language tags were checked can hold one that `Intl` refuses. */
function listNames(names: string[], language: string): string {
  try {
    return new Intl.ListFormat(language).format(names);
  } catch {
    return names.join(', ');
  }
}
