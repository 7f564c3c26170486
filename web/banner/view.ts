import type { Consent } from './consent.ts';
import { button, element, styled } from './element.ts';
import type { Texts } from './wire.ts';

export interface Look {
  /** Where the banner is; as the settings say unless given. */
  position?: string | undefined;
  /** Where the button back to the choice is; `off` where the site has a way of its own. */
  button?: string | undefined;
  /** `light` or `dark`; as the visitor's system unless given. */
  theme?: string | undefined;
}

export interface View {
  /** Asks; `byVisitor` takes the focus along and shows the categories at once. */
  open(byVisitor: boolean): void;
  close(): void;
}

/** The banner and the button that leads back to it, in a shadow root of their own. */
export function createView(consent: Consent, texts: Texts, look: Look): View {
  const { categories = {}, settings } = consent.status ?? {};
  const position = look.position ?? settings?.position ?? 'bottom';
  const host = element('div', { id: 'pavis' });
  if (look.theme) host.style.colorScheme = look.theme;
  let opener: Element | null = null;

  const switches = new Map<string, HTMLInputElement>();
  const rows = Object.values(categories).map(({ id, required }) => {
    const { label, description = '' } = texts.categories[id] ?? { label: id };
    const input = element('input', { type: 'checkbox', disabled: required });
    input.setAttribute('role', 'switch');
    input.setAttribute('aria-describedby', `about-${id}`);
    switches.set(id, input);
    const always = required ? [element('span', {}, [texts.required_text])] : [];
    return element('li', {}, [
      element('label', {}, [label, ...always, input]),
      element('p', { id: `about-${id}` }, [description]),
    ]);
  });

  const title = element('h2', { id: 'title', tabIndex: -1 }, [texts.title]);
  const words: Node[] = [title, element('p', { id: 'message' }, [texts.message])];
  if (/^https?:/i.test(settings?.privacy_url ?? '')) {
    words.push(element('a', { href: settings?.privacy_url ?? '' }, [texts.privacy_text]));
  }
  const list = element('ul', { hidden: true }, rows);
  const manage = button(texts.manage_text, () => showCategories(true));
  const save = button(texts.save_text, () => {
    const accepted = [...switches].filter(([, { checked }]) => checked).map(([id]) => id);
    void consent.set(accepted, 'preferences');
  });
  const source = () => (list.hidden ? 'banner' : 'preferences');
  const dialog = element('dialog', { dir: texts.direction, lang: texts.language }, [
    element('div', { className: 'words' }, words),
    list,
    element('div', { className: 'buttons' }, [
      button(texts.reject_text, () => void consent.reject(source())),
      button(texts.accept_text, () => void consent.accept(source())),
      manage,
      save,
    ]),
  ]);
  dialog.dataset.position = position;
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.setAttribute('aria-describedby', 'message');
  dialog.oncancel = dismiss;
  dialog.onkeydown = (event) => {
    if (event.key === 'Escape') dismiss(event);
  };

  const back = button('', () => open(true), 'back');
  back.title = texts.reopen_text;
  back.dataset.position = look.button ?? '';
  const corner = element('section', { hidden: true, ariaLabel: texts.reopen_text }, [back]);
  const news = element('div', { role: 'status', lang: texts.language });
  styled(host).append(dialog, corner, news);
  // Before the body: first in the order of keys, and no style of the site counts it among its elements.
  document.body.before(host);
  showCorner();

  function open(byVisitor: boolean): void {
    if (dialog.open) {
      if (byVisitor) showCategories(true);
      return;
    }
    opener = host.shadowRoot?.activeElement ?? document.activeElement;
    corner.hidden = true;
    const { action, accepted } = consent.state;
    for (const [id, input] of switches) {
      input.checked =
        input.disabled || (action !== null && !consent.mustAsk && accepted.includes(id));
    }
    showCategories(byVisitor);
    if (position === 'center') dialog.showModal();
    else dialog.setAttribute('open', '');
    if (byVisitor || position === 'center') title.focus();
    else news.textContent = texts.title;
  }

  function showCategories(areShown: boolean): void {
    const had = !list.hidden;
    list.hidden = save.hidden = !areShown;
    manage.hidden = areShown;
    if (areShown && !had && dialog.open) list.querySelector<HTMLElement>('input:enabled')?.focus();
  }

  /** Back to the first layer, and from there away: no answer is no consent. */
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
    news.textContent = '';
    showCorner();
    if (opener instanceof HTMLElement && opener !== document.body) opener.focus();
  }

  function showCorner(): void {
    corner.hidden = look.button === 'off' || dialog.open;
  }

  return { open, close };
}
