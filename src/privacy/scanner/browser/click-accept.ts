import { type Centre, CLICK_ACCEPT } from './accept-button.ts';
import type { CdpSession } from './cdp.ts';
import type { FrameResult } from './frames.ts';
import { ANSWER_MS, withTimeout } from './timeouts.ts';

/**
 * Clicks an accept button in its own frame: the element, not a position, so that elements which cover or replace it are
 * not clicked. In the main document it tries the mouse first, because some banners require trusted events.
 * @param main the session of the page's own document
 * @returns false if the button has gone or changed
 */
export async function clickAccept(
  { session, contextId, isMainFrame, value }: FrameResult<{ button: Centre | null }>,
  main: CdpSession,
): Promise<boolean> {
  const { button } = value;
  if (!button) return false;
  const evaluate = async (expression: string) =>
    (
      await withTimeout(
        session
          .send('Runtime.evaluate', {
            expression,
            contextId,
            userGesture: true,
            returnByValue: true,
          })
          .catch(() => undefined),
        ANSWER_MS,
      )
    )?.result.value;
  if (isMainFrame && button.free) {
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'] as const) {
      const clickCount = type === 'mouseMoved' ? 0 : 1;
      const at = { x: button.x, y: button.y, button: 'left' as const, clickCount };
      await withTimeout(main.send('Input.dispatchMouseEvent', { type, ...at }), ANSWER_MS);
    }
    const isPressed = await evaluate('globalThis.accept?.isPressed ?? null');
    // Without an answer its document has gone, as it does where a banner loads the page anew.
    if (isPressed !== null) return true;
  }
  return (await evaluate(CLICK_ACCEPT)) === true;
}
