/**
 * Lets the copy buttons work where browsers offer no clipboard: on plain HTTP, except of this machine. There, what is
 * selected can still be copied.
 */
export function provideClipboard(): void {
  if ('clipboard' in navigator) return;
  Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
}

/** @throws Error if the browser refuses */
async function writeText(text: string): Promise<void> {
  const focused = document.activeElement as HTMLElement | null;
  const area = document.createElement('textarea');
  area.value = text;
  // So that the page does not scroll to it.
  area.style.position = 'fixed';
  // Within a dialog, since one that is open keeps the focus.
  (focused?.parentElement ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  focused?.focus();
  if (!isCopied) throw new Error('the browser did not copy');
}
