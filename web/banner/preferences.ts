import { addStyles, button, element } from './element.ts';
import type { Consent } from './model.ts';
import css from './preferences.css?inline';
import type { Status, Texts } from './wire.ts';

export interface PreferencesOptions {
  consent: Consent;
  status: Status;
  texts: Texts;
  restRoot: string;
}

/** The second layer of the banner. */
export interface Preferences {
  list: HTMLElement;
  save: HTMLElement;
  /** Shows the current consent. */
  update(): void;
}

/** Creates the list of categories with their switches. @param root gets the styles */
export function createPreferences(
  root: ShadowRoot,
  { consent, status, texts, restRoot }: PreferencesOptions,
): Preferences {
  addStyles(root, css);
  const switches = new Map<string, HTMLInputElement>();
  const list = element('ul');
  for (const { id, required } of Object.values(status.categories)) {
    const { label, description = '' } = texts.categories[id] as Texts['categories'][string];
    const about = `about-${id}`;
    const input = element('input', { type: 'checkbox', role: 'switch', 'aria-describedby': about });
    input.disabled = required;
    switches.set(id, input);
    const row = element('label', {}, label);
    if (required) row.append(element('span', {}, texts.required_text));
    row.append(input);
    list.append(element('li', {}, row, element('p', { id: about }, description)));
  }
  const receipt = element('a', {}, texts.receipt_text);
  const receiptItem = element('li', {}, receipt);

  const save = button(texts.save_text, () => {
    const accepted = [...switches.keys()].filter((id) => switches.get(id)?.checked);
    void consent.set(accepted, 'preferences');
  });

  function update(): void {
    const { accepted } = consent.state;
    for (const [id, input] of switches) input.checked = accepted.includes(id);
    if (!consent.visitorId) return;
    receipt.href = `${restRoot}/svc/v1/consent/receipt?visitor_id=${consent.visitorId}`;
    list.append(receiptItem);
  }

  update();
  return { list, save, update };
}
