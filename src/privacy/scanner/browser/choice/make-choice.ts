import type { BannerControl, StateVisit } from '../../observation.ts';
import type { Centre } from '../accept-button.ts';
import { clickAccept } from '../click-accept.ts';
import type { FrameResult } from '../frames.ts';
import type { Recorder } from '../recorder.ts';
import type { GuardClick } from '../simulate-visitor.ts';
import type { Tab } from '../tab.ts';
import { withTimeout } from '../timeouts.ts';
import { waitForIdle } from '../wait-for-idle.ts';
import type { Role } from './known-controls.ts';
import { type FoundControl, type FrameControls, readControls } from './read-controls.ts';
import { readStored } from './read-stored.ts';

const ANSWER_MS = 1_200;

/** What the visitor of a page wants of its banner: to reject, or to withdraw consent given before. */
export type Choice = 'reject' | 'withdraw';

export interface ChoiceOptions {
  /** Ends a step with the visit, or when the page has crashed. */
  until: <T>(step: Promise<T>) => Promise<T>;
  /** Called before each press; blocks harmful requests from then on. */
  guard: GuardClick;
  /** When the page was loaded, in epoch milliseconds. */
  loadedAt: number;
  /** Called just before the press that makes the choice. */
  onPress: () => void;
}

export interface ChoiceResult {
  outcome: Exclude<StateVisit['outcome'], 'failed'>;
  /** Presses that the choice took. */
  clicks: number;
  /** Presses on the way that only opened settings. */
  settingsClicks: number;
  /** Controls of the second layer, if it was opened. */
  controls: BannerControl[];
  /** How the banner was opened again: by a control that a visitor sees, or only by a function of the page. */
  control?: 'visible' | 'api';
}

/**
 * Rejects everything optional in the consent banner of a loaded page, or withdraws a consent given before.
 * @throws what `until` throws
 */
export async function makeChoice(
  tab: Tab,
  recorder: Recorder,
  choice: Choice,
  options: ChoiceOptions,
): Promise<ChoiceResult> {
  const visitor = new Visitor(tab, recorder, options);
  const outcome = await (choice === 'reject' ? visitor.reject() : visitor.withdraw());
  const { clicks, settingsClicks, controls } = visitor;
  return { outcome, clicks, settingsClicks, controls: controls.filter(({ layer }) => layer === 2) };
}

type Outcome = ChoiceResult['outcome'];
type Target = FrameResult<FrameControls> & { control: FoundControl };

class Visitor {
  clicks = 0;
  settingsClicks = 0;
  readonly controls: BannerControl[] = [];
  readonly #tab: Tab;
  readonly #recorder: Recorder;
  readonly #options: ChoiceOptions;
  #hasBanner = false;

  constructor(tab: Tab, recorder: Recorder, options: ChoiceOptions) {
    this.#tab = tab;
    this.#recorder = recorder;
    this.#options = options;
  }

  async reject(): Promise<Outcome> {
    const shown = await this.#look(1);
    const target = find(shown, 'reject');
    if (target) return this.#decide(target);
    return this.#hasBanner ? 'no_control' : 'no_banner';
  }

  async withdraw(): Promise<Outcome> {
    const reopen = find(await this.#look(1), 'reopen');
    if (!reopen || !(await this.#press(reopen))) return 'no_control';
    await this.#wait();
    return this.reject();
  }

  async #look(layer: 1 | 2): Promise<FrameResult<FrameControls>[]> {
    const shown = await this.#options.until(readControls(this.#tab));
    this.#hasBanner ||= shown.some(({ value }) => value.hasBanner);
    for (const { role, index, rank, kind, isHarmless, ...control } of shown.flatMap(
      ({ value }) => value.controls,
    )) {
      if (role === 'reopen') continue;
      const isKnown = this.controls.some((at) => at.role === role && at.label === control.label);
      if (!isKnown) this.controls.push({ ...control, role, layer });
    }
    return shown;
  }

  /** Presses a control that decides. */
  async #decide(target: Target): Promise<Outcome> {
    const stored = () => this.#options.until(readStored(this.#tab));
    const before = await stored();
    if (!(await this.#press(target, this.#options.onPress))) return 'no_control';
    await this.#wait();
    if (await this.#options.until(isClosed(target))) return 'reached';
    return (await stored()) === before ? 'no_effect' : 'reached';
  }

  async #press(target: Target, onPress = () => {}): Promise<boolean> {
    const { session, contextId, isMainFrame, frameId, value, control } = target;
    const { until, guard } = this.#options;
    const button = await until(
      evaluate<Centre>(target, `globalThis.chooseControl?.(${control.index})`),
    );
    if (!button) return false;
    const page = new URL(this.#recorder.main?.url ?? value.url);
    const documents = new Map([
      [this.#tab.mainFrame, page.href],
      [frameId, value.url],
    ]);
    await until(guard({ kind: control.kind, page }, documents));
    onPress();
    const main = await until(this.#tab.main);
    const found = { session, contextId, frameId, isMainFrame, value: { button } };
    if (!(await until(clickAccept(found, main)))) return false;
    this.clicks += 1;
    return true;
  }

  async #wait(): Promise<void> {
    const { until, loadedAt } = this.#options;
    await until(waitForIdle(this.#tab, this.#recorder, { loadedAt }));
  }
}

const find = (shown: FrameResult<FrameControls>[], role: Role): Target | undefined =>
  shown
    .flatMap((frame) => frame.value.controls.map((control) => ({ ...frame, control })))
    .filter(({ control }) => control.role === role && control.isHarmless)
    .toSorted(
      (a, b) => a.control.rank - b.control.rank || Number(b.isMainFrame) - Number(a.isMainFrame),
    )[0];

/** Undefined also where the document has gone. */
async function evaluate<T>(
  { session, contextId }: Pick<Target, 'session' | 'contextId'>,
  expression: string,
): Promise<T | undefined> {
  const answer = session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  return (await withTimeout(answer, ANSWER_MS))?.result.value;
}

/** True also where the banner loaded the page anew. */
const isClosed = async (target: Target): Promise<boolean> =>
  (await evaluate(target, 'globalThis.accept?.isShown()')) !== true;
