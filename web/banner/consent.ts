import { type Choice, epochSeconds, readChoice, writeChoice } from './choice.ts';
import { type Answer, createRecorder, randomId } from './recorder.ts';
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
  /** Each resolves when the server has answered or cannot be reached; the choice applies at once. */
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

/** Of a choice that was refused. */
const NO_VERSION = -1;

export function createConsent({ restRoot, language }: ConsentOptions): Consent {
  const base = `${restRoot}/svc/v1/consent`;
  const gpc = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;
  const send = createRecorder(base, hear);
  const tag = (language || document.documentElement.lang || navigator.language).slice(0, 35);
  let said: Texts | undefined;
  let reading: Promise<Texts | undefined> | undefined;
  let status: Status | undefined;
  let stored = readChoice();
  let choice: Choice | undefined;
  let state = stateNow();
  let before = state;

  function texts(): Promise<Texts | undefined> {
    // Those of the status that was read, though others may have been saved since.
    reading ??= ask<Texts>(
      `${base}/texts?language=${encodeURIComponent(tag)}&version=${status?.version ?? 0}`,
    ).then((answer) => {
      said = answer;
      return answer;
    });
    return reading;
  }

  /** A server that is away leaves a choice in force, and takes none for granted. */
  async function load(): Promise<void> {
    status = await ask<Status>(`${base}/status`);
    const isCurrent = !status || !stored || (await isStillAsked(stored.version, status.version));
    // A signal that came after the choice is the newer word; a choice made under it is the last one.
    if (isCurrent && (!gpc || stored?.gpc)) choice = stored;
    change();
  }

  /**
   * A token goes to the choice that is stored now, which another tab may have made; the server takes it for
   * its own visitor only. Where the server does
   * not take a choice, since it is about texts that visitors are no longer shown, it counts as none, and
   * what asks shows the texts of now. Nothing is accepted until then, whatever becomes of the server.
   */
  async function hear(body: Partial<Choice>, { visitor_token, data }: Answer): Promise<void> {
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
    choice = reading = said = undefined;
    await load();
  }

  async function isStillAsked(version: number, current: number): Promise<boolean> {
    if (version >= current) return version === current;
    return version >= ((await texts())?.asked_since ?? current);
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

  /** Those that are on, since they are required or as told, and the others. */
  function divide(ids: string[], isAccepted: (id: string) => boolean | undefined) {
    const isOn = (id: string) => status?.categories[id]?.required || isAccepted(id);
    return [ids.filter(isOn), ids.filter((id) => !isOn(id))] as const;
  }

  function change(): void {
    before = state;
    state = stateNow();
    if (state.action ?? before.action)
      document.dispatchEvent(new CustomEvent(CHANGE, { detail: state }));
  }

  async function decide(
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
      config_hash: said?.hash,
      config_version: choice.version,
      // As a listener of clicks it is called with an event.
      source: typeof source === 'string' ? source : 'api',
      language: said?.language ?? tag,
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
