import { button, element, styled } from './element.ts';
import type { Texts } from './wire.ts';

/**
 * Stands in for embedded content that waits for consent, as large as that would be, with a button
 * that loads just this one.
 */
export function showPlaceholder(
  frame: HTMLIFrameElement,
  source: string,
  { direction, language, placeholder_text, load_text }: Texts,
  theme: string | undefined,
  load: () => void,
): () => void {
  const { width, height } = frame.getBoundingClientRect();
  const { display } = frame.style;
  const from = element('a', { href: source }).host;
  const words = placeholder_text.replace('{host}', () => from);
  const host = element('div', { class: frame.className });
  // With its overflow hidden a block stands on the line as embedded content does.
  host.style.cssText = `${frame.style.cssText};display:inline-block;overflow:hidden;max-width:100%;width:${width}px;height:${height}px`;
  const held = { class: 'held', dir: direction, lang: language };
  styled(host, theme, element('div', held, element('p', {}, words), button(load_text, load)));
  frame.style.display = 'none';
  frame.before(host);
  return () => {
    host.remove();
    frame.style.display = display;
  };
}
