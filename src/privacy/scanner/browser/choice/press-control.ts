import type { Centre } from '../accept-button.ts';
import type { CdpSession } from '../cdp.ts';
import { clickAccept } from '../click-accept.ts';
import { evaluateInFrame, type FrameResult } from '../frames.ts';
import type { FoundControl, FrameControls } from './read-controls.ts';

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
  const button = await evaluateInFrame<Centre>(target, `chooseControl(${target.control.index})`);
  if (!button) return false;
  onPress();
  return clickAccept({ ...target, value: { button } }, main);
}

/** Whether the control that was pressed last is still shown. */
export const isShown = async (target: Target): Promise<boolean> =>
  (await evaluateInFrame<boolean>(target, 'globalThis.accept?.isShown()')) === true;

/** Switches optional categories and vendors off in the frame of a control. @returns the number of presses */
export const switchOff = async (target: Target): Promise<number> =>
  (await evaluateInFrame<number>(target, 'switchOff()')) ?? 0;
