import { addStyles } from './element.ts';

/**
 * Makes the page longer while an element lies over its end. That, often with the imprint, and what gets the focus there
 * can then be scrolled above the element.
 */
export function makeRoom(shown: HTMLElement): void {
  const page = addStyles(document, '');
  new ResizeObserver(() => {
    const height = `${shown.offsetHeight + 24}px`;
    page.replaceSync(
      shown.offsetHeight ? `:root{padding-bottom:${height};scroll-padding-bottom:${height}}` : '',
    );
  }).observe(shown);
}
