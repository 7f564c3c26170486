import { addStyles, type attachStyled, button, element } from './element.ts';
import { drawSymbol, findEmbed } from './embeds.ts';
import type { Consent } from './model.ts';
import css from './placeholder.css?inline';
import { changeChoice } from './single-choice.ts';
import { chooseVendor } from './vendor-choice.ts';
import type { PlaceholderTexts, ServedVendors } from './wire.ts';

interface PlaceholderOptions {
  consent: Consent;
  /** Or `category/vendor`. */
  category: string;
  vendors: ServedVendors | undefined;
  theme: string | undefined;
  /** Of the banner, so that its styles are in one file. */
  attach: typeof attachStyled;
  /** Loads the frame without recording consent. */
  load: (frame: HTMLIFrameElement) => void;
  /** Loads the frame or creates a placeholder, as consent requires, if it has none. */
  update: (frame: HTMLIFrameElement) => void;
  /** Removes the placeholder. */
  free: (frame: HTMLIFrameElement) => void;
}

/** The options of the last placeholder of a frame, which may not be shown yet. */
const current = new WeakMap<HTMLIFrameElement, object>();

/**
 * Shows a placeholder of the same size in place of a blocked iframe.
 * @returns removes the placeholder; undefined if there are no texts, there is no such category or the address has changed
 */
export async function showPlaceholder(
  frame: HTMLIFrameElement,
  source: string,
  options: PlaceholderOptions,
): Promise<(() => void) | undefined> {
  const { consent, theme, category } = options;
  const { dataset } = frame;
  current.set(frame, options);
  const followAddress = () => {
    if (current.get(frame) !== options) return;
    // A lazy loader removes it after it has set `src`. Meanwhile, the visitor may have chosen.
    if ('pavisAuto' in dataset && !dataset.src) {
      dataset.src = source;
      options.update(frame);
    }
    if ((dataset.src ?? source) === source) return;
    current.delete(frame);
    options.free(frame);
    options.update(frame);
  };
  const addresses = new MutationObserver(followAddress);
  addresses.observe(frame, { attributeFilter: ['data-src'] });
  followAddress();
  await consent.ready;
  // No one could accept a category that is unknown.
  if (!consent.status?.categories[category.split('/')[0] as string]) return undefined;
  const first = await consent.firstTexts();
  // Tags that the page has prepared need no entry in the registry, with which the file gets these texts.
  const texts = first?.load_text ? (first as PlaceholderTexts) : await consent.texts();
  if (!texts) return undefined;
  const { direction, language, placeholder_text, load_text } = texts;
  // It has none in a part of the page that is hidden, for example in a closed tab.
  await new Promise((done) => {
    new ResizeObserver(() => frame.offsetWidth && done(frame)).observe(frame);
  });
  if (current.get(frame) !== options) return undefined;
  const { display } = frame.style;
  const { position, inset } = getComputedStyle(frame);
  const address = element('a', { href: source });
  const embed = findEmbed(address);
  const provider = embed ? `${embed.name} (${address.host})` : address.host;
  const message = placeholder_text.replace('{host}', () => provider);
  const host = element('div', { class: frame.className });
  // Hidden overflow aligns the block with the baseline as an iframe.
  host.style.cssText = `${frame.style.cssText};overflow:hidden;max-width:100%;position:${position};inset:${inset};width:auto;height:auto`;
  const slot = { class: 'slot', dir: direction, lang: language };
  const buttons = element(
    'div',
    {},
    button(load_text, () => options.load(frame)),
    createAlways(texts, options),
  );
  const content = element('div', {}, message, buttons);
  if (embed) content.prepend(drawSymbol(embed.kind));
  addStyles(
    options.attach(
      host,
      { theme, styles: consent.status.appearance?.styles },
      element('div', slot, content),
    ),
    css,
  );
  frame.before(host);
  /** The page can give the frame another size with each size of the window. */
  const resize = () => {
    frame.style.display = display;
    host.style.display = 'none';
    const { width, height } = frame.getBoundingClientRect();
    // In a hidden part of the page, the size stays.
    if (width && !/ab|fi/.test(position))
      host.style.cssText += `width:${width}px;height:${height}px`;
    frame.style.display = 'none';
    host.style.display = 'inline-block';
  };
  resize();
  addEventListener('resize', resize);
  // The page can remove the frame, or move it. If it returns, it gets another placeholder.
  const observer = new MutationObserver(() => {
    if (!frame.isConnected) options.free(frame);
    else if (frame.previousSibling !== host) frame.before(host);
  });
  observer.observe(frame.getRootNode(), { childList: true, subtree: true });
  return () => {
    addresses.disconnect();
    observer.disconnect();
    removeEventListener('resize', resize);
    frame.style.display = display;
    if (document.activeElement === host) frame.focus();
    host.remove();
  };
}

/** The button that accepts the vendor of the content, or the category if visitors cannot choose the vendor. */
function createAlways(
  { always_text, always_vendor_text, categories }: PlaceholderTexts,
  { consent, category, vendors }: PlaceholderOptions,
): HTMLButtonElement {
  const [id, slug] = category.split('/') as [string, string?];
  const name = slug && vendors?.[slug]?.[0];
  if (slug && name && always_vendor_text)
    return button(
      always_vendor_text.replace('{vendor}', () => name),
      () =>
        changeChoice(consent, new Map(), 'placeholder', chooseVendor(consent.state.vendors, slug)),
    );
  const label = categories[id]?.label ?? id;
  return button(
    always_text.replace('{category}', () => label),
    () => changeChoice(consent, new Map([[id, true]]), 'placeholder'),
  );
}
