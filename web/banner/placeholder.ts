import { element, styled } from './element.ts';
import type { Texts } from './wire.ts';

/**
 * Shows a placeholder of the same size in place of a blocked iframe.
 * @param buttons what the visitor can do
 * @returns removes the placeholder
 */
export function showPlaceholder(
  frame: HTMLIFrameElement,
  source: string,
  { direction, language, placeholder_text }: Texts,
  theme: string | undefined,
  buttons: HTMLButtonElement[],
): () => void {
  const { width, height } = frame.getBoundingClientRect();
  const { display } = frame.style;
  const message = placeholder_text.replace('{host}', element('a', { href: source }).host);
  const host = element('div', { class: frame.className });
  // With its overflow hidden a block stands on the line as embedded content does.
  host.style.cssText = `${frame.style.cssText};display:inline-block;overflow:hidden;max-width:100%;width:${width}px;height:${height}px`;
  const held = { class: 'held', dir: direction, lang: language };
  styled(host, theme, element('div', held, message, ...buttons));
  frame.style.display = 'none';
  frame.before(host);
  return () => {
    host.remove();
    frame.style.display = display;
  };
}
