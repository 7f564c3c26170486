import { type Choice, epochSeconds, readChoice, writeChoice } from './choice.ts';
import { createRecorder, randomId } from './recorder.ts';
import { ask, type ConsentAction, type Status, type Texts } from './wire.ts';

export interface ConsentOptions {
  /** The address of the REST root, as `https://example.com/wp-json`. */
  restRoot: string;
  /** Of the texts; that of the page unless given. */
  language?: string | undefined;
}

/** What holds now. `action` is how it came about; null while nothing was decided. */
export interface ConsentState {
  accepted: string[];
  rejected: string[];
  action: ConsentAction | 'gpc' | null;
  version: number;
}

export type ConsentListener = (now: ConsentState, before: ConsentState) => void;

/** What a visitor consents to, without any face: reads what is asked, keeps the choice, sends it. */
export interface Consent {
  /** Done when it is known what holds; never fails. */
  readonly ready: Promise<void>;
  /** What is asked; undefined before `ready` and while the server cannot say. */
  readonly status: Status | undefined;
  readonly state: ConsentState;
  /** Whether the visitor has to be asked. */
  readonly mustAsk: boolean;
  /** Undefined until the first choice: nobody is counted before. */
  readonly visitorId: string | undefined;
  /** Whether a category is accepted; false for what is not known. */
  has(category: string): boolean;
  /** Each resolves when the server was told, or could not be; the choice holds at once. */
  accept(source?: string): Promise<void>;
  reject(source?: string): Promise<void>;
  /** Accepts these categories and rejects all others. */
  set(accepted: readonly string[], source?: string): Promise<void>;
  /** Done when the server was told of the last choice, or could not be. */
  readonly sent: Promise<void>;
  /** Calls back on each change. @returns how to stop that */
  onChange(listener: ConsentListener): () => void;
  /** The texts of the banner; undefined if the server cannot say. */
  texts(): Promise<Texts | undefined>;
}

/** The event of the document that tells of each choice, and of the one that a page begins with. */
const CHANGE = 'pavis:consent';

export function createConsent({ restRoot, language }: ConsentOptions): Consent {
  const base = `${restRoot}/svc/v1/consent`;
  const gpc = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;
  const recorder = createRecorder(base);
  const tag = (language || document.documentElement.lang || navigator.language).slice(0, 35);
  let said: Texts | undefined;
  let reading: Promise<Texts | undefined> | undefined;
  let status: Status | undefined;
  let stored = readChoice();
  let choice: Choice | undefined;
  let sent = Promise.resolve();
  let state = stateNow();
  let before = state;

  function texts(): Promise<Texts | undefined> {
    reading ??= ask<Texts>(`${base}/texts?language=${encodeURIComponent(tag)}`).then((answer) => {
      said = answer;
      return answer;
    });
    return reading;
  }

  /** A server that is away leaves a choice in force, and takes none for granted. */
  async function load(): Promise<void> {
    status = await ask<Status>(`${base}/status`);
    const isCurrent =
      !status || !stored || stored.version === status.version || (await stillAsked());
    // A signal that came after the choice is the newer word; a choice made under it is the last one.
    if (isCurrent && (!gpc || stored?.gpc)) choice = stored;
    change();
  }

  async function stillAsked(): Promise<boolean> {
    const since = (await texts())?.asked_since ?? Number.POSITIVE_INFINITY;
    return (
      stored !== undefined && stored.version >= since && stored.version <= Number(status?.version)
    );
  }

  function stateNow(): ConsentState {
    const asked = Object.values(status?.categories ?? {});
    const known = status ? asked.map(({ id }) => id) : (choice?.categories_accepted ?? []);
    const isOn = (id: string) =>
      status?.categories[id]?.required ||
      (status?.enabled !== false && choice?.categories_accepted.includes(id));
    return {
      accepted: known.filter(isOn),
      rejected: known.filter((id) => !isOn(id)),
      action: choice?.consent_action ?? (gpc && status ? 'gpc' : null),
      version: choice?.version ?? status?.version ?? 0,
    };
  }

  function change(): void {
    before = state;
    state = stateNow();
    if (state.action) document.dispatchEvent(new CustomEvent(CHANGE, { detail: state }));
  }

  async function decide(
    action: ConsentAction,
    accepts: (id: string) => boolean,
    source: unknown,
  ): Promise<void> {
    await ready;
    if (!status?.enabled) return;
    const asked = Object.values(status.categories);
    const isOn = ({ id, required }: { id: string; required: boolean }) => required || accepts(id);
    const at = epochSeconds();
    stored = choice = {
      visitor_id: stored?.visitor_id ?? randomId(),
      consent_action: action,
      categories_accepted: asked.filter(isOn).map(({ id }) => id),
      categories_rejected: asked.filter((each) => !isOn(each)).map(({ id }) => id),
      version: status.version,
      at,
      until: at + status.settings.expiry_days * 86_400,
      gpc,
    };
    writeChoice(choice);
    const { origin, pathname } = location;
    sent = recorder.send({
      ...choice,
      // As a listener of clicks it is called with an event.
      source: typeof source === 'string' ? source : 'api',
      language: said?.language ?? tag,
      ...(origin.startsWith('http') && { page_url: origin + pathname }),
    });
    change();
    return sent;
  }

  const ready = load();
  return {
    ready,
    get status() {
      return status;
    },
    get state() {
      return state;
    },
    get mustAsk() {
      return !!status?.enabled && !choice && !gpc;
    },
    get visitorId() {
      return stored?.visitor_id;
    },
    has: (category) => state.accepted.includes(category),
    accept: (source) => decide('accept_all', () => true, source),
    reject: (source) => decide('reject_all', () => false, source),
    set: (accepted, source) => decide('manage', (id) => accepted.includes(id), source),
    onChange(listener) {
      // By way of the page's own events: one that throws stops none of the others.
      const hear = () => listener(state, before);
      document.addEventListener(CHANGE, hear);
      return () => document.removeEventListener(CHANGE, hear);
    },
    get sent() {
      return sent;
    },
    texts,
  };
}
