import { attachStyled, button, element } from './element.ts';
import type { Consent } from './model.ts';
import type { Preferences } from './preferences.ts';
import { makeRoom } from './room.ts';
import type { FirstTexts, Status } from './wire.ts';

declare global {
  interface HTMLElementTagNameMap {
    'pavis-banner': HTMLElement;
  }
}

export interface Look {
  /** The position of the banner. Default: the setting. */
  position?: string | undefined;
  /** The position of the button that opens the preferences; `off` if the site has its own. */
  button?: string | undefined;
  /** `light` or `dark`. Default: that of the visitor's system. */
  theme?: string | undefined;
}

export interface View {
  root: ShadowRoot;
  /** @param byVisitor opens the preferences and moves the focus to them */
  open(byVisitor: boolean): Promise<void>;
  close(): void;
}

/** The banner and the button that opens it again, in a shadow root. */
export function createView(
  consent: Consent,
  { settings, appearance = {} }: Status,
  texts: FirstTexts,
  look: Look,
  loadPreferences: (root: ShadowRoot) => Promise<Preferences | undefined>,
): View {
  const { direction: dir, language: lang } = texts;
  const { styles, button_order, reopen_button } = appearance;
  const position = look.position ?? settings.position;
  const place = look.button ?? reopen_button ?? 'bottom-left';
  const isModal = position === 'center';
  let opener: HTMLElement | null;
  let preferences: Preferences | undefined;

  const title = element('h2', { id: 'title', tabindex: '-1' }, texts.title);
  const source = () => (manage.hidden ? 'preferences' : 'banner');
  const manage = button(texts.manage_text, async () => {
    await showPreferences();
    preferences?.focus();
  });
  const choices = {
    reject: button(texts.reject_text, () => consent.reject(source())),
    accept: button(texts.accept_text, () => consent.accept(source())),
    manage,
  };
  const order = button_order ?? (Object.keys(choices) as (keyof typeof choices)[]);
  // With names for programs that choose for visitors, see autoconsent.json.
  const named = order.map((name) => Object.assign(choices[name], { name }));
  const buttons = element('div', {}, ...named);
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
    buttons,
  );
  dialog.oncancel = dialog.onkeydown = dismiss;

  const reopen = element('button', { title: texts.reopen_text, 'data-position': place });
  reopen.onclick = () => open(true);
  const corner = element('section', { lang, 'aria-label': texts.reopen_text }, reopen);
  const news = element('div', { lang, role: 'status' });
  // Without an id, which would become a property of the window.
  const host = element('pavis-banner');
  const root = attachStyled(host, { theme: look.theme, styles }, dialog, corner, news);
  showCorner();
  // Before the body: first in the tab order, and selectors such as :first-child of the site do not match it. After the head,
  // because the body may not be parsed yet. Scripts of the page can delay DOMContentLoaded without end.
  document.head.after(host);
  if (position.startsWith('bottom')) makeRoom(dialog);

  async function open(byVisitor: boolean): Promise<void> {
    if (!dialog.open) opener = (root.activeElement ?? document.activeElement) as HTMLElement | null;
    // First, because the dialog would change its size.
    if (byVisitor) await showPreferences();
    if (!dialog.open) {
      preferences?.update();
      if (!byVisitor) preferences?.hide();
      if (isModal) dialog.showModal();
      // show() would take the focus from a visitor who is reading.
      else dialog.open = true;
      showCorner();
    }
    if (byVisitor || isModal) title.focus();
    else news.textContent = texts.title;
  }

  /** Without a connection, visitors can still accept or reject all, and the button gets a mark. */
  async function showPreferences(): Promise<void> {
    const loaded = preferences ?? (await loadPreferences(root));
    // A second click can have loaded them as well.
    preferences ??= loaded;
    manage.textContent = (preferences ? '' : '⚠ ') + texts.manage_text;
    if (preferences) preferences.show(manage);
    else news.textContent = manage.textContent;
  }

  /** Closes the preferences first, then the banner. Closing it is no consent. */
  function dismiss(event: Event & { key?: string }): void {
    if (event.key && event.key !== 'Escape') return;
    event.preventDefault();
    if (consent.mustAsk && manage.hidden) {
      preferences?.hide();
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
    corner.hidden = dialog.open || place === 'off';
  }

  return { root, open, close };
}
