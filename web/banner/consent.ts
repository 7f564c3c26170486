import { epochSeconds, readChoice, writeChoice } from './choice.ts';
import { COOKIE_DAYS, type Decision, decideOptIn, NO_VERSION } from './decision.ts';
import type { Consent, ConsentState } from './model.ts';
import { isParsed } from './parsed.ts';
import { type Answer, createRecorder, randomId } from './recorder.ts';
import { type Served, served } from './served.ts';
import {
  ask,
  type Choice,
  type ConsentAction,
  type FirstTexts,
  type Status,
  type Texts,
  type VendorChoice,
} from './wire.ts';

export interface ConsentOptions {
  /** For example `https://example.com/wp-json`. */
  restRoot: string;
  /** The language of the texts. Default: the language of the page. */
  language?: string | null | undefined;
  /** The token of the signed-in person, see `consent.shared_choices`. A tag with `data-subject` comes first. */
  subject?: string | undefined;
}

/** What is known without a request. */
interface Known extends Partial<Pick<Served, 'status' | 'regime' | 'parts' | 'gpc'>> {
  texts?: FirstTexts | undefined;
  /** In another language. Visitors see them if the server cannot be reached, because without texts no one could choose. */
  otherTexts?: FirstTexts | undefined;
}

/** The event of the document after each choice, and for the choice with which a page starts, as soon as it is known. */
const CHANGE = 'pavis:change';

/** The `source` of an opt-out by Global Privacy Control. */
const GPC = 'gpc';

const DAY = 86_400;
export const getLanguage = ({ language }: ConsentOptions): string =>
  (language || document.documentElement.lang || navigator.language).slice(0, 35);

export function createConsent(options: ConsentOptions, known: Known = {}): Consent {
  const base = `${options.restRoot}/svc/v1/consent`;
  // Some browsers and extensions send the header only.
  const gpc = known.gpc || (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;
  const { parts, regime: rules = {} } = known;
  const send = createRecorder(base, handleAnswer);
  const sharing = parts?.startSharing?.(base, options, known);
  const tag = getLanguage(options);
  let first = known.texts;
  let reading: Promise<Texts | undefined> | undefined;
  let status: Status | undefined;
  let stored: Choice | undefined;
  let decision: Decision | undefined;
  /** The stored choice, if it holds. */
  let choice: Choice | undefined;
  let state = stateNow();
  let before = state;

  function texts(): Promise<Texts | undefined> {
    // Texts of the version in the status, even if a newer one was published since.
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

  /**
   * If the server cannot be reached, a stored choice stays valid. What is at hand applies at once, before the page loads
   * anything else. Listeners can be added until then.
   */
  async function load(): Promise<void> {
    stored = readChoice() ?? stored;
    const atHand = known.status;
    // Another tab can have shown a newer version than that of this file.
    if (atHand && (stored?.version ?? 0) <= atHand.version) status = atHand;
    else {
      known = {};
      first = reading = undefined;
      status = await ask(`${base}/status`);
    }
    const asked = stored?.version ?? 0;
    const current = status?.version ?? asked;
    decide(
      asked === current ||
        (asked < current && asked >= ((first ?? (await firstTexts()))?.asked_since ?? current)),
    );
    // Nobody is asked who has answered on another device.
    if (await sharing?.compare(status, choice, record)) return;
    tell();
  }

  /** Decides what the stored choice means, and with it what is accepted. @param isCurrent whether consent to its version is still valid */
  function decide(isCurrent: boolean): void {
    decision =
      status &&
      ((rules.opt_out && parts?.decideOptOut) || decideOptIn)(
        {
          rules,
          // Visitors whose choice the server has rejected are asked once more.
          gpc: gpc && stored?.version !== NO_VERSION,
          choice: stored,
          age: (epochSeconds() - (stored?.at as number)) / DAY,
          isCurrent,
          isConsent: !!stored?.vendors_accepted || stored?.categories_accepted.some(isOptional),
          expiry_days: status.settings.expiry_days,
        },
        keep,
      );
    const holds = decision ? decision.holds : !gpc || stored?.gpc;
    choice = holds ? stored : undefined;
    before = state;
    state = stateNow();
  }

  function keep(made: Choice): void {
    stored = made;
    writeChoice(made);
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
    // A cookie that the server has set with it lasts longer in some browsers.
    if (visitor_token && latest && latest.visitor_token !== visitor_token)
      writeChoice({ ...latest, visitor_token });
    sharing?.mark(body);
    if (!data?.current_version || stored?.version !== body.version) return;
    keep({
      ...(stored as Choice),
      consent_action: 'manage',
      categories_accepted: [],
      version: NO_VERSION,
    });
    known = {};
    await load();
  }

  function stateNow(): ConsentState {
    const [accepted, rejected] = divide(
      (id) => !status || (status.enabled && decision?.accepts(id)),
    );
    const counting = status?.enabled === false || decision?.isExpired ? undefined : choice;
    const vendors = served.parts?.addVendors?.(accepted, rejected, counting, stored, served.rules);
    return {
      accepted,
      rejected,
      action: choice?.consent_action ?? (gpc && status ? GPC : null),
      version: choice?.version ?? status?.version ?? 0,
      vendors,
    };
  }

  const isOptional = (id: string): boolean => status?.categories[id]?.required === false;

  /** Divides categories into accepted ones, which include the required, and rejected ones. */
  function divide(isAccepted: (id: string) => boolean | undefined) {
    const ids = status ? Object.keys(status.categories) : (choice?.categories_accepted ?? []);
    const isIn = (id: string) => (status && !isOptional(id)) || isAccepted(id);
    return [ids.filter(isIn), ids.filter((id) => !isIn(id))] as const;
  }

  function tell(): void {
    // Nothing has been decided before the first choice, unless the rules have.
    if (!state.action && !before.action && !state.accepted.some(isOptional)) return;
    const send = (name: string) => document.dispatchEvent(new CustomEvent(name, { detail: state }));
    send(CHANGE);
    // The same for the scripts of the page, after the deferred ones have run.
    void isParsed.then(() => send('pavis:consent'));
  }

  /** @param wanted the accepted categories. Default: all */
  async function choose(
    action: ConsentAction,
    source: string | undefined,
    wanted?: readonly string[],
    vendors?: VendorChoice,
    rejected?: string[],
  ): Promise<void> {
    await ready;
    if (!status?.enabled) return;
    const isWanted = (id: string) => !wanted || wanted.includes(id);
    const [accepted, others] = divide(isWanted);
    rejected ??= others;
    // Another tab can have given the visitor an id.
    stored = readChoice() ?? stored;
    // Later than those of other tabs, also within the second. If the clock was set back, by a few seconds only.
    const now = epochSeconds();
    const at = Math.min(now + 9, Math.max(now, (stored?.at ?? 0) + 1));
    const made: Choice = {
      visitor_id: stored?.visitor_id ?? randomId(),
      consent_action: action,
      categories_accepted: accepted,
      categories_rejected: rejected,
      ...vendors,
      version: status.version,
      at,
      until: at + Math.max(status.settings.expiry_days, rejected[0] ? COOKIE_DAYS : 0) * DAY,
      gpc,
      visitor_token: stored?.visitor_token ?? true,
    };
    // A click listener is called with an event, which has no such method.
    return record(made, source?.trim ? source : 'api');
  }

  function record(made: Choice, source: string): Promise<void> {
    const signed = sharing?.sign(made, source);
    // A signal that contradicts consent does not replace it: the visitor is asked which of the two they mean.
    keep(stored && source === GPC && decision?.asks ? { ...stored, opted_out: made.at } : made);
    decide(true);
    sent = send({
      ...made,
      config_hash: first?.hash,
      config_version: made.version,
      source,
      language: first?.language ?? tag,
      page_url: /^http[^?#]*/.exec(location.href)?.[0],
      ...signed,
    });
    tell();
    return sent;
  }

  const ready = load();
  let sent = ready;
  // The choice of another tab applies when the visitor comes back, also with the Back button.
  document.addEventListener(
    'visibilitychange',
    () => (readChoice()?.at as number) > (stored?.at ?? 0) && load(),
  );
  void ready.then(() => {
    if (decision?.record) void choose('reject_all', GPC, []);
  });
  return {
    ready,
    get status() {
      return status;
    },
    get state() {
      return state;
    },
    get mustAsk() {
      return !!(status?.enabled && decision?.asks);
    },
    get visitorId() {
      return stored?.visitor_id;
    },
    has: (category) => state.accepted.includes(category),
    accept: (source) => choose('accept_all', source),
    reject: (source) => choose('reject_all', source, []),
    set: (accepted, source, vendors = state.vendors, rejected?) =>
      choose('manage', source, accepted, vendors, rejected),
    onChange(listener) {
      // Listeners of an event, because an error in one does not stop the others.
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
