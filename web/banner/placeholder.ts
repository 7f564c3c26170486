import { addStyles, attachStyled, type Dress, element } from './element.ts';
import css from './placeholder.css?inline';
import type { PlaceholderTexts } from './wire.ts';

/**
 * Shows a placeholder of the same size in place of a blocked iframe.
 * @returns removes the placeholder
 */
export function showPlaceholder(
  frame: HTMLIFrameElement,
  source: string,
  { direction, language, placeholder_text }: PlaceholderTexts,
  dress: Dress,
  buttons: HTMLButtonElement[],
): () => void {
  const { width, height } = frame.getBoundingClientRect();
  const { display } = frame.style;
  const message = placeholder_text.replace('{host}', element('a', { href: source }).host);
  const host = element('div', { class: frame.className });
  // Hidden overflow aligns the block with the baseline as an iframe.
  host.style.cssText = `${frame.style.cssText};display:inline-block;overflow:hidden;max-width:100%;width:${width}px;height:${height}px`;
  const slot = { class: 'slot', dir: direction, lang: language };
  addStyles(attachStyled(host, dress, element('div', slot, message, ...buttons)), css);
  frame.style.display = 'none';
  frame.before(host);
  return () => {
    frame.style.display = display;
    if (document.activeElement === host) frame.focus();
    host.remove();
  };
}
