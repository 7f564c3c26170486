import type { BannerControl, StateVisit } from '../../observation.ts';
import type { FrameResult } from '../frames.ts';
import type { Recorder } from '../recorder.ts';
import type { GuardClick } from '../simulate-visitor.ts';
import type { Tab } from '../tab.ts';
import { waitForIdle } from '../wait-for-idle.ts';
import { revealClosedRoots } from './closed-roots.ts';
import type { Role } from './known-controls.ts';
import { openByApi } from './open-by-api.ts';
import { isShown, press, switchOff, type Target } from './press-control.ts';
import { type FrameControls, readControls } from './read-controls.ts';
import { readStored } from './read-stored.ts';

/** A page may show several that look like settings. */
const TRIES = 3;

/** What the visitor of a page wants of its banner: to reject, or to withdraw consent given before. */
export type Choice = 'reject' | 'withdraw';

export interface ChoiceOptions {
  /** Ends a step with the visit, or when the page has crashed. */
  until: <T>(step: Promise<T>) => Promise<T>;
  /** Called before each press; blocks harmful requests from then on. */
  guard: GuardClick;
  /** When the page was loaded, as `performance.now()` gives it. */
  loadedAt: number;
  /** Called just before a press that makes the choice. Where it takes a second press, the last call counts. */
  onPress: () => void;
}

export interface ChoiceResult {
  outcome: Exclude<StateVisit['outcome'], 'failed'>;
  /** Presses that the choice took. */
  clicks: number;
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
  const visitor = new BannerVisitor(tab, recorder, options);
  const outcome = await (choice === 'reject' ? visitor.reject() : visitor.withdraw());
  const { clicks, controls, control } = visitor;
  return { outcome, clicks, controls, ...(control && { control }) };
}

type Outcome = ChoiceResult['outcome'];
type Shown = FrameResult<FrameControls>[];

class BannerVisitor {
  clicks = 0;
  readonly controls: BannerControl[] = [];
  control: ChoiceResult['control'];
  readonly #tab: Tab;
  readonly #recorder: Recorder;
  readonly #options: ChoiceOptions;

  constructor(tab: Tab, recorder: Recorder, options: ChoiceOptions) {
    this.#tab = tab;
    this.#recorder = recorder;
    this.#options = options;
  }

  async reject(): Promise<Outcome> {
    const shown = await this.#lookFirst();
    const outcome = (await this.#decide(shown)) ?? (await this.#decideInSettings(shown));
    return outcome ?? (shown.some(({ value }) => value.hasBanner) ? 'no_control' : 'no_banner');
  }

  async withdraw(): Promise<Outcome> {
    let shown = await this.#lookFirst();
    const isOpen = await this.#decide(shown);
    if (isOpen) return isOpen;
    if (find(shown, 'reopen').length === 0) {
      // Some fade in once the banner has closed.
      await this.#wait();
      shown = await this.#look();
    }
    for (const reopen of find(shown, 'reopen').slice(0, TRIES)) {
      if (!(await this.#press(reopen))) continue;
      const outcome = await this.#rejectOpened();
      this.control = outcome && 'visible';
      if (outcome) return outcome;
      this.clicks = 0;
    }
    if (!(await this.#options.until(openByApi(this.#tab)))) return 'no_control';
    await this.#wait();
    const outcome = await this.#rejectOpened();
    if (outcome) this.control = 'api';
    return outcome ?? 'no_control';
  }

  async #rejectOpened(): Promise<Outcome | undefined> {
    const shown = await this.#look();
    return (await this.#decide(shown)) ?? this.#decideInSettings(shown);
  }

  /** In the second layer. Undefined if there is none, or nothing to press in it. */
  async #decideInSettings(shown: Shown): Promise<Outcome | undefined> {
    for (const settings of find(shown, 'settings').slice(0, TRIES)) {
      if (!(await this.#press(settings))) continue;
      const opened = await this.#look();
      this.#noteControls(opened, shown);
      const outcome = await this.#decide(opened);
      if (outcome) return outcome;
      // It opened nothing.
      this.clicks -= 1;
    }
    return undefined;
  }

  /** By a control that rejects, or by categories. Undefined if there is neither. */
  async #decide(shown: Shown): Promise<Outcome | undefined> {
    const [reject] = find(shown, 'reject');
    if (reject) {
      const outcome = await this.#pressLast(reject);
      if (outcome !== 'no_effect') return outcome;
      // Some only switch the categories off, to be saved.
      const [save] = find(await this.#look(), 'save');
      return save ? this.#pressLast(save) : outcome;
    }
    const [save = list(shown).find(({ value }) => value.switchedOn > 0)] = find(shown, 'save');
    if (!save || (save.value.switchedOn === 0 && save.control.kind === 'in_page')) return undefined;
    await this.#options.until(this.#guard(save));
    this.clicks += await this.#options.until(switchOff(save));
    // Switches may change the label: "Accept all" into "Accept selected".
    const [changed] = find(await this.#look(), 'save');
    return changed && this.#pressLast(changed);
  }

  async #pressLast(target: Target): Promise<Outcome | undefined> {
    const stored = () => this.#options.until(readStored(this.#tab));
    const before = await stored();
    if (!(await this.#press(target, this.#options.onPress))) return undefined;
    // Also where the banner loaded the page anew.
    if (!(await this.#options.until(isShown(target)))) return 'reached';
    return (await stored()) === before ? 'no_effect' : 'reached';
  }

  async #press(target: Target, onPress?: () => void): Promise<boolean> {
    const { until } = this.#options;
    await until(this.#guard(target));
    const main = await until(this.#tab.main);
    if (!(await until(press(target, main, onPress)))) return false;
    this.clicks += 1;
    await this.#wait();
    return true;
  }

  #guard({ control, frameId, value }: Target): Promise<void> {
    const page = new URL(this.#recorder.main?.url ?? value.url);
    const documents = new Map([
      [this.#tab.mainFrame, page.href],
      [frameId, value.url],
    ]);
    return this.#options.guard({ kind: control.kind, page }, documents);
  }

  async #lookFirst(): Promise<Shown> {
    const shown = await this.#look();
    if (shown.length > 0 || !(await this.#options.until(revealClosedRoots(this.#tab))))
      return shown;
    return this.#look();
  }

  #look(): Promise<Shown> {
    return this.#options.until(readControls(this.#tab));
  }

  async #wait(): Promise<void> {
    const { until, loadedAt } = this.#options;
    await until(waitForIdle(this.#tab, this.#recorder, { loadedAt }));
  }

  /** Notes the controls that the first layer did not have. */
  #noteControls(opened: Shown, first: Shown): void {
    const known = new Set(list(first).map(({ control }) => control.role + control.label));
    for (const { control } of list(opened)) {
      const { role, index, rank, kind, isHarmless, ...measures } = control;
      if (role === 'reopen' || known.has(role + control.label)) continue;
      known.add(role + control.label);
      this.controls.push({ ...measures, role, layer: 2 });
    }
  }
}

const list = (shown: Shown): Target[] =>
  shown.flatMap((frame) => frame.value.controls.map((control) => ({ ...frame, control })));

/** The controls of a role that may be pressed, the best first. */
const find = (shown: Shown, role: Role): Target[] =>
  list(shown)
    .filter(({ control }) => control.role === role && control.isHarmless)
    .toSorted(
      (a, b) => a.control.rank - b.control.rank || Number(b.isMainFrame) - Number(a.isMainFrame),
    );
