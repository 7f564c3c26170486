import type { Consent, ConsentOptions } from './consent.ts';
import { attachStyled, button, element } from './element.ts';
import type { Status, Texts } from './wire.ts';

declare global {
  interface HTMLElementTagNameMap {
    'pavis-banner': HTMLElement;
  }
}

export interface Look {
  /** Of the banner. Default: the setting. */
  position?: string | undefined;
  /** The position of the button that opens the preferences; `off` if the site has its own. */
  button?: string | undefined;
  /** `light` or `dark`. Default: that of the visitor's system. */
  theme?: string | undefined;
}

export interface View {
  /** @param byVisitor opens the preferences and moves the focus to them */
  open(byVisitor: boolean): void;
  close(): void;
}

/** The banner and the button that opens it again, in a shadow root. */
export function createView(
  consent: Consent,
  { categories, settings }: Status,
  texts: Texts,
  look: Look & ConsentOptions,
): View {
  const { title: heading, direction: dir, language: lang } = texts;
  const position = look.position ?? settings.position;
  const isModal = position === 'center';
  const switches = new Map<string, HTMLInputElement>();
  let opener: HTMLElement | null;

  const title = element('h2', { id: 'title', tabindex: '-1' }, heading);
  const list = element('ul');
  for (const { id, required } of Object.values(categories)) {
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

  const source = () => (list.hidden ? 'banner' : 'preferences');
  const manage = button(texts.manage_text, () => {
    showCategories(true);
    list.querySelector<HTMLElement>(':enabled')?.focus();
  });
  const save = button(texts.save_text, () => {
    const accepted = [...switches.keys()].filter((id) => switches.get(id)?.checked);
    void consent.set(accepted, source());
  });
  const dialog = element(
    'dialog',
    {
      dir,
      lang,
      'data-position': position,
      'aria-labelledby': 'title',
      'aria-describedby': 'message',
    },
    element(
      'div',
      {},
      title,
      element('p', { id: 'message' }, texts.message),
      element('a', { href: settings.privacy_url }, texts.privacy_text),
    ),
    list,
    element(
      'div',
      {},
      button(texts.reject_text, () => consent.reject(source())),
      button(texts.accept_text, () => consent.accept(source())),
      manage,
      save,
    ),
  );
  dialog.oncancel = dismiss;
  dialog.onkeydown = (event) => {
    if (event.key === 'Escape') dismiss(event);
  };

  const reopen = button('', () => open(true));
  reopen.title = texts.reopen_text;
  reopen.dataset.position = look.button ?? 'bottom-left';
  const corner = element('section', { lang, 'aria-label': texts.reopen_text }, reopen);
  const news = element('div', { lang, role: 'status' });
  // Without an id, which would become a property of the window.
  const host = element('pavis-banner');
  const root = attachStyled(host, look.theme, dialog, corner, news);
  showCorner();
  // Before the body: first in the tab order, and selectors such as :first-child of the site do not match it.
  document.body.before(host);

  function open(byVisitor: boolean): void {
    if (!dialog.open) {
      opener = (root.activeElement ?? document.activeElement) as HTMLElement | null;
      const { accepted } = consent.state;
      for (const [id, input] of switches) input.checked = accepted.includes(id);
      if (consent.visitorId) {
        receipt.href = `${look.restRoot}/svc/v1/consent/receipt?visitor_id=${consent.visitorId}`;
        list.append(receiptItem);
      }
      showCategories(byVisitor);
      if (isModal) dialog.showModal();
      // show() would take the focus from a visitor who is reading.
      else dialog.open = true;
      showCorner();
    }
    if (byVisitor) showCategories(true);
    if (byVisitor || isModal) title.focus();
    else news.textContent = heading;
  }

  function showCategories(areShown: boolean): void {
    list.hidden = save.hidden = !areShown;
    manage.hidden = areShown;
  }

  /** Closes the preferences first, then the banner. Closing it is no consent. */
  function dismiss(event: Event): void {
    event.preventDefault();
    if (consent.mustAsk && !list.hidden) {
      showCategories(false);
      manage.focus();
    } else close();
  }

  function close(): void {
    if (!dialog.open) return;
    dialog.close();
    showCorner();
    opener?.focus();
  }

  function showCorner(): void {
    corner.hidden = dialog.open || look.button === 'off';
  }

  return { open, close };
}
