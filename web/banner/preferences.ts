import { addStyles, button, element } from './element.ts';
import type { Consent } from './model.ts';
import css from './preferences.css?inline';
import { VendorSwitches } from './vendor-switches.ts';
import { listVendors, type Vendors } from './vendors.ts';
import type { Status, Texts } from './wire.ts';

/** How long the preferences wait for the vendors, which are not needed for a choice. */
const VENDORS_TIMEOUT_MS = 1_500;

export interface PreferencesOptions {
  consent: Consent;
  texts: Texts;
  restRoot: string;
  vendors: Promise<Vendors | undefined>;
}

/** The second layer of the banner. */
export interface Preferences {
  /** Shows them in place of the button that opens them. */
  show(button: HTMLElement): void;
  hide(): void;
  focus(): void;
  /** Shows the current consent. */
  update(): void;
}

/** Creates the list of categories with their switches. @param root gets the styles */
export async function createPreferences(
  root: ShadowRoot,
  { consent, texts, restRoot, vendors: reading }: PreferencesOptions,
): Promise<Preferences> {
  addStyles(root, css);
  const base = `${restRoot}/svc/v1/consent`;
  const { categories } = consent.status as Status;
  const switches = new Map<string, HTMLInputElement>();
  const items = new Map<string, HTMLElement>();
  const vendorSwitches = new VendorSwitches(consent, (id) => !!switches.get(id)?.checked);
  const list = element('ul');
  for (const [id, { required }] of Object.entries(categories)) {
    // The texts are of a later version without it if consent to the one that is open is no longer valid.
    const { label = id, description = '' } = texts.categories[id] ?? {};
    const about = `about-${id}`;
    const input = createSwitch({ 'aria-describedby': about });
    input.disabled = required;
    input.onchange = () => vendorSwitches.follow(id);
    switches.set(id, input);
    const row = element('label', {}, label);
    if (required) row.append(element('span', {}, texts.required_text));
    row.append(input);
    const item = element('li', {}, row, element('p', { id: about }, description));
    items.set(id, item);
    list.append(item);
  }
  const record = createRecord(consent, categories, texts, base);

  const save = button(texts.save_text, () => {
    const accepted = [...switches.keys()].filter((id) => switches.get(id)?.checked);
    void consent.set(accepted, 'preferences', vendorSwitches.read());
  });

  /** Vendors that arrive late are added only while the preferences are closed, so that no switch moves. */
  let vendors: Vendors | undefined;
  function addVendors(): void {
    if (!vendors || list.closest('[open]')) return;
    for (const [id, item] of items) {
      const found = vendors.categories[id];
      if (found)
        item.append(
          listVendors(found, texts, texts.categories[id]?.label ?? '', (slug) =>
            vendorSwitches.add(id, slug, createSwitch()),
          ),
        );
    }
    vendors = undefined;
    vendorSwitches.update();
    for (const [id, input] of switches)
      if (input.checked !== consent.state.accepted.includes(id)) vendorSwitches.follow(id);
  }
  // Visitors can also return to the first layer, in the open banner.
  new MutationObserver(addVendors).observe(root, { childList: true, subtree: true });

  function update(): void {
    addVendors();
    const { accepted } = consent.state;
    for (const [id, input] of switches) input.checked = accepted.includes(id);
    vendorSwitches.update();
    if (!consent.visitorId) return;
    record.update();
    list.append(record.item);
  }

  const read = reading.then((found) => {
    vendors = found;
    addVendors();
  });
  await Promise.race([read, new Promise((done) => setTimeout(done, VENDORS_TIMEOUT_MS))]);
  update();
  let opener: HTMLElement | undefined;
  return {
    update,
    show(button) {
      opener = button;
      button.parentElement?.before(list);
      button.after(save);
      button.hidden = true;
      const dialog = button.closest('dialog');
      // Beside a modal dialog of the page, only another one can be used.
      const isKnown = CSS.supports('selector(:modal)');
      if (!dialog || !isKnown || !document.querySelector('dialog:modal')) return;
      update();
      dialog.close();
      dialog.showModal();
    },
    hide() {
      list.remove();
      save.remove();
      if (opener) opener.hidden = false;
    },
    focus: () => list.querySelector<HTMLElement>(':enabled')?.focus(),
  };
}

const createSwitch = (attributes: Record<string, string> = {}): HTMLInputElement =>
  element('input', { type: 'checkbox', role: 'switch', ...attributes });

/** The id of the visitor's consent, its receipt, and its withdrawal. */
function createRecord(
  consent: Consent,
  categories: Status['categories'],
  texts: Texts,
  base: string,
) {
  // Two lines high on a phone.
  const id = element('textarea', {
    id: 'consent-id',
    readonly: '',
    'aria-describedby': 'about-id',
  });
  id.rows = 2;
  // An id has to be copied as a whole.
  id.onfocus = () => id.select();
  const receipt = element('a', {}, texts.receipt_text);
  const withdraw = button(texts.withdraw_text, () => consent.reject('preferences'));
  const item = element(
    'li',
    {},
    element('label', { for: 'consent-id' }, texts.consent_id_text),
    id,
    element('p', { id: 'about-id' }, texts.consent_id_help_text),
    element('div', {}, receipt, withdraw),
  );
  return {
    item,
    update(): void {
      id.value = consent.visitorId as string;
      receipt.href = `${base}/receipt?visitor_id=${consent.visitorId}`;
      withdraw.hidden = !consent.state.accepted.some((each) => !categories[each]?.required);
    },
  };
}
