import { button, element, styled } from './element.ts';
import type { Texts } from './wire.ts';

/**
 * Stands in for embedded content that waits for consent, as large as that would be, with a button
 * that loads just this one.
 */
export function showPlaceholder(
  frame: HTMLIFrameElement,
  source: string,
  { direction, placeholder_text, load_text }: Texts,
  load: () => void,
): { remove(): void } {
  const host = document.createElement('div');
  const { width, height } = frame.getBoundingClientRect();
  host.className = frame.className;
  host.style.cssText = `${frame.style.cssText};display:inline-block;vertical-align:bottom;max-inline-size:100%;inline-size:${width}px;block-size:${height}px`;
  const display = frame.style.display;
  const from = URL.canParse(source, location.href) ? new URL(source, location.href).host : '';
  const words = placeholder_text.replace('{host}', () => from);
  styled(host).append(
    element('div', { className: 'held', dir: direction }, [
      element('p', {}, [words]),
      button(load_text, () => {
        load();
        frame.focus();
      }),
    ]),
  );
  frame.style.display = 'none';
  frame.before(host);
  return {
    remove() {
      host.remove();
      frame.style.display = display;
    },
  };
}
