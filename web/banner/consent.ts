import { type Choice, epochSeconds, readChoice, writeChoice } from './choice.ts';
import { type Answer, createRecorder, randomId } from './recorder.ts';
import { ask, type ConsentAction, type FirstTexts, type Status, type Texts } from './wire.ts';

export interface ConsentOptions {
  /** For example `https://example.com/wp-json`. */
  restRoot: string;
  /** Of the texts. Default: the language of the page. */
  language?: string | null | undefined;
}

/** The current consent. `action` is null before the first choice. */
export interface ConsentState {
  accepted: string[];
  rejected: string[];
  action: ConsentAction | 'gpc' | null;
  version: number;
}

export type ConsentListener = (now: ConsentState, before: ConsentState) => void;

/** Consent without a user interface: reads the status, stores choices and sends them. */
export interface Consent {
  /** Resolves when the current consent is known; never rejects. */
  readonly ready: Promise<void>;
  /** Undefined before `ready` and if the server cannot be reached. */
  readonly status: Status | undefined;
  readonly state: ConsentState;
  /** Whether the visitor has to be asked. */
  readonly mustAsk: boolean;
  /** Undefined before the first choice. */
  readonly visitorId: string | undefined;
  /** Whether a category is accepted; false for unknown ones. */
  has(category: string): boolean;
  /** A choice applies at once. The promises resolve after the first attempt to send it. */
  accept(source?: string): Promise<void>;
  reject(source?: string): Promise<void>;
  /** Accepts these categories and rejects all others. */
  set(accepted: readonly string[], source?: string): Promise<void>;
  /** Resolves after the first attempt to send the last choice. */
  readonly sent: Promise<void>;
  /** Subscribes to changes. @returns unsubscribes */
  onChange(listener: ConsentListener): () => void;
  /** The texts of the banner; undefined if the server cannot be reached. */
  texts(): Promise<Texts | undefined>;
  /** At least those that visitors see first, without a request if the file contains them. */
  firstTexts(): Promise<FirstTexts | undefined>;
}

/** What is known without a request. */
interface Known {
  status?: Status;
  texts?: FirstTexts | undefined;
  /** In another language. Visitors see them if the server cannot be reached, because without texts no one could choose. */
  otherTexts?: FirstTexts;
}

/** The event of the document after each choice, and for the choice with which a page starts, as soon as it is known. */
const CHANGE = 'pavis:change';
/** The same for the scripts of the page, after the deferred ones have run. */
const CONSENT = 'pavis:consent';

/** The version of a choice that the server has rejected. */
const NO_VERSION = -1;

export const getLanguage = ({ language }: ConsentOptions): string =>
  (language || document.documentElement.lang || navigator.language).slice(0, 35);

export function createConsent(options: ConsentOptions, known: Known = {}): Consent {
  const base = `${options.restRoot}/svc/v1/consent`;
  const gpc = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;
  const send = createRecorder(base, handleAnswer);
  const tag = getLanguage(options);
  let first = known.texts;
  let reading: Promise<Texts | undefined> | undefined;
  let status: Status | undefined;
  let stored = readChoice();
  let choice: Choice | undefined;
  let state = stateNow();
  let before = state;

  function texts(): Promise<Texts | undefined> {
    // Of the version of the status, even if a newer one was published since.
    reading ??= ask<Texts>(
      `${base}/texts?language=${encodeURIComponent(tag)}&version=${status?.version ?? 0}`,
    ).then((answer) => {
      if (answer) first = answer;
      else reading = undefined;
      return answer;
    });
    return reading;
  }

  async function firstTexts(): Promise<FirstTexts | undefined> {
    first ??= (await texts()) ?? known.otherTexts;
    return first;
  }

  /** If the server cannot be reached, a stored choice stays valid. */
  async function load(): Promise<void> {
    const atHand = known.status;
    // Another tab can have shown a newer version than that of this file.
    const isStale = !atHand || (stored?.version ?? 0) > atHand.version;
    if (isStale) {
      known = {};
      first = undefined;
    }
    status = await (isStale ? ask<Status>(`${base}/status`) : atHand);
    const isCurrent = !status || !stored || (await isStillAsked(stored.version, status.version));
    // A choice that was made before Global Privacy Control was turned on no longer applies.
    if (isCurrent && (!gpc || stored?.gpc)) choice = stored;
    change();
  }

  /**
   * Adds the token to the stored choice, which can be that of another tab. If the server rejects a choice because
   * consent to its banner version is no longer valid, discards it and reads the current version. The stored choice
   * then accepts nothing, even if the server cannot be reached.
   */
  async function handleAnswer(
    body: Partial<Choice>,
    { visitor_token, data }: Answer,
  ): Promise<void> {
    const latest = readChoice();
    if (visitor_token && latest) writeChoice({ ...latest, visitor_token });
    if (!data?.current_version || choice?.version !== body.version) return;
    stored = {
      ...(choice as Choice),
      consent_action: 'manage',
      categories_accepted: [],
      version: NO_VERSION,
    };
    writeChoice(stored);
    choice = reading = undefined;
    known = {};
    await load();
  }

  async function isStillAsked(version: number, current: number): Promise<boolean> {
    if (version >= current) return version === current;
    return version >= ((await firstTexts())?.asked_since ?? current);
  }

  function stateNow(): ConsentState {
    const known = status ? Object.keys(status.categories) : (choice?.categories_accepted ?? []);
    const [accepted, rejected] = divide(
      known,
      (id) => status?.enabled !== false && choice?.categories_accepted.includes(id),
    );
    return {
      accepted,
      rejected,
      action: choice?.consent_action ?? (gpc && status ? 'gpc' : null),
      version: choice?.version ?? status?.version ?? 0,
    };
  }

  /** Divides categories into accepted ones, which include the required, and rejected ones. */
  function divide(ids: string[], isAccepted: (id: string) => boolean | undefined) {
    const isIn = (id: string) => status?.categories[id]?.required || isAccepted(id);
    return [ids.filter(isIn), ids.filter((id) => !isIn(id))] as const;
  }

  function change(): void {
    before = state;
    state = stateNow();
    const detail = state;
    const tell = (name: string) => document.dispatchEvent(new CustomEvent(name, { detail }));
    if (!(state.action ?? before.action)) return;
    tell(CHANGE);
    void isParsed.then(() => tell(CONSENT));
  }

  async function choose(
    action: ConsentAction,
    accepts: (id: string) => boolean,
    source: unknown,
  ): Promise<void> {
    await ready;
    if (!status?.enabled) return;
    const [accepted, rejected] = divide(Object.keys(status.categories), accepts);
    const at = epochSeconds();
    stored = choice = {
      visitor_id: stored?.visitor_id ?? randomId(),
      consent_action: action,
      categories_accepted: accepted,
      categories_rejected: rejected,
      version: status.version,
      at,
      until: at + status.settings.expiry_days * 86_400,
      gpc,
      visitor_token: readChoice()?.visitor_token ?? true,
    };
    writeChoice(choice);
    const { origin, pathname } = location;
    sent = send({
      ...choice,
      config_hash: first?.hash,
      config_version: choice.version,
      // A click listener is called with an event.
      source: typeof source === 'string' ? source : 'api',
      language: first?.language ?? tag,
      ...(origin.startsWith('http') && { page_url: origin + pathname }),
    });
    change();
    return sent;
  }

  const ready = load();
  let sent = ready;
  return {
    ready,
    get status() {
      return status;
    },
    get state() {
      return state;
    },
    get mustAsk() {
      return !!status?.enabled && !choice && (!gpc || stored?.version === NO_VERSION);
    },
    get visitorId() {
      return stored?.visitor_id;
    },
    has: (category) => state.accepted.includes(category),
    accept: (source) => choose('accept_all', () => true, source),
    reject: (source) => choose('reject_all', () => false, source),
    set: (accepted, source) => choose('manage', (id) => accepted.includes(id), source),
    onChange(listener) {
      // As listeners of an event, because an error in one does not stop the others.
      const onEvent = () => listener(state, before);
      document.addEventListener(CHANGE, onEvent);
      return () => document.removeEventListener(CHANGE, onEvent);
    },
    get sent() {
      return sent;
    },
    texts,
    firstTexts,
  };
}

/** Resolves with DOMContentLoaded. */
export const isParsed = new Promise<unknown>((done) => {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (page?.domContentLoadedEventStart) done(0);
  else document.addEventListener('DOMContentLoaded', done);
});
