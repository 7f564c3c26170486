import type { Centre } from '../accept-button.ts';
import type { CdpSession } from '../cdp.ts';
import { clickAccept } from '../click-accept.ts';
import type { FrameResult } from '../frames.ts';
import { withTimeout } from '../timeouts.ts';
import type { FoundControl, FrameControls } from './read-controls.ts';

const ANSWER_MS = 1_200;

/** A control to press, in its frame. */
export type Target = FrameResult<FrameControls> & { control: FoundControl };

/**
 * Presses a control, in its own frame and only while it is what was found.
 * @param main the session of the page's own document
 * @returns false if it has gone or changed
 */
export async function press(
  target: Target,
  main: CdpSession,
  onPress = () => {},
): Promise<boolean> {
  const button = await evaluate<Centre>(target, `chooseControl(${target.control.index})`);
  if (!button) return false;
  onPress();
  return clickAccept({ ...target, value: { button } }, main);
}

/** Whether the control that was pressed last is still shown. */
export const isShown = async (target: Target): Promise<boolean> =>
  (await evaluate<boolean>(target, 'globalThis.accept?.isShown()')) === true;

/** Switches optional categories and vendors off in the frame of a control. @returns the number of presses */
export const switchOff = async (target: Target): Promise<number> =>
  (await evaluate<number>(target, 'switchOff()')) ?? 0;

/** Undefined also where the document has gone. */
async function evaluate<T>(
  { session, contextId }: Target,
  expression: string,
): Promise<T | undefined> {
  const answer = session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  return (await withTimeout(answer, ANSWER_MS))?.result.value;
}
