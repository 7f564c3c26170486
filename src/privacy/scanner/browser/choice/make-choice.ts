import type { BannerControl } from '../../observation.ts';
import type { Recorder } from '../recorder.ts';
import type { GuardClick } from '../simulate-visitor.ts';
import type { Tab } from '../tab.ts';

/** What the visitor of a page wants of its banner: to reject, or to withdraw consent given before. */
export type Choice = 'reject' | 'withdraw';

export interface ChoiceOptions {
  /** Ends a step with the visit, or when the page has crashed. */
  until: <T>(step: Promise<T>) => Promise<T>;
  /** Called before the first press; blocks harmful requests from then on. */
  guard: GuardClick;
  /** When the page was loaded, in epoch milliseconds. */
  loadedAt: number;
  /** Called just before the press that makes the choice. */
  onPress: () => void;
}

export interface ChoiceResult {
  outcome: 'reached' | 'no_banner' | 'no_control' | 'no_effect';
  /** Presses that the choice took. */
  clicks: number;
  /** Presses on the way that only opened settings. */
  settingsClicks?: number;
  /** Controls of the second layer, if it was opened. */
  controls?: BannerControl[];
}

/**
 * Rejects on the consent banner of a page, or withdraws consent on it.
 * @throws what `until` throws
 */
export async function makeChoice(
  _tab: Tab,
  _recorder: Recorder,
  _choice: Choice,
  _options: ChoiceOptions,
): Promise<ChoiceResult> {
  return { outcome: 'no_control', clicks: 0 };
}
