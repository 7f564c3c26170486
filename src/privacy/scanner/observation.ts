/** How a resource was detected; `inferred` means implied by another resource. */
export type Source = 'network' | 'dom' | 'html' | 'header' | 'script' | 'inferred';

/** Before or after the consent banner was accepted. */
export type ConsentState = 'before' | 'after';

/**
 * The states in which a scan visits a page. `withdrawn`: accepted, then withdrawn; `gpc`: no choice, with Global Privacy
 * Control. `before`, `accepted` and `withdrawn` share one visit, the others have a browser context of their own.
 */
export const SCAN_STATES = ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'] as const;

export type ScanState = (typeof SCAN_STATES)[number];

/** The states without a choice. */
export const STATES_WITHOUT_CHOICE: readonly ScanState[] = ['before', 'gpc'];

/** The states of a visit for which none are given. */
export const DEFAULT_STATES: readonly ScanState[] = ['before', 'accepted'];

/** That a resource was at work in a state: what was requested or stored, by what, and when. */
export interface Evidence {
  state: ScanState;
  /** The request; for cookies and storage the document or response that set them. */
  url: string;
  initiator?: string;
  /** Milliseconds after the visit began. */
  at: number;
}

interface Seen {
  sources: Source[];
  consentState: ConsentState;
  /** In which states it was at work, once each; absent for what was only read in markup. */
  evidence?: Evidence[];
  /** The document that holds it: the page, or a frame within it. */
  frameUrl: string;
  /** In the page, but kept from loading until there is consent (`type="text/plain"`, `data-src`). */
  blockedUntilConsent: boolean;
}

/** The common fields of an observation that is not blocked. */
export const observed = (source: Source, consentState: ConsentState, frameUrl: string): Seen => ({
  sources: [source],
  consentState,
  frameUrl,
  blockedUntilConsent: false,
});

/** A resource that a page loads or would load. */
export interface LoadObservation extends Seen {
  kind: 'script' | 'frame' | 'image' | 'request' | 'style' | 'font';
  /** Absolute, http or https or ws or wss, with its query. */
  url: string;
  method: string;
  /** Only the folder is known: a script puts the rest of the address together. */
  incomplete?: true;
  /** Undefined while no answer was seen. */
  status?: number;
  mimeType?: string;
  /** Only of images: as laid out, in CSS pixels; undefined when it never was in the document. */
  size?: { width: number; height: number };
  /** Only of images: laid out and not hidden. */
  visible?: boolean;
  inNoscript?: boolean;
  /**
   * How it was asked for, where the kind leaves it open: `fetch`, `xhr`, `beacon`, `websocket`, `eventsource`,
   * `csp-report` … `worker` for a worker and its requests, `object` and `embed` for these elements.
   */
  via?: string;
  /** The script or document that asked for it. */
  initiator?: string;
  /** The address that redirected to it. */
  redirectedFrom?: string;
  /**
   * What the request may not reach, or why it failed, in a word: `blocked`, `dns`, `refused`, `timeout`. `policy`: the
   * page's own policy forbids it, or the browser does (mixed content, pop-up without a click), so it was not sent.
   */
  failure?: string;
}

export interface CookieObservation extends Seen {
  kind: 'cookie';
  name: string;
  /** Without a leading dot. */
  domain: string;
  path: string;
  /** Null: until the browser closes. */
  lifetimeSeconds: number | null;
  secure: boolean;
  httpOnly: boolean;
  sameSite: 'strict' | 'lax' | 'none' | null;
  /** Why the browser did not keep it; empty when it did. */
  blockedReasons: string[];
  /** The response or script that set it, if known. */
  setBy?: string;
}

export interface StorageObservation extends Seen {
  kind: 'storage';
  area: 'local' | 'session' | 'indexeddb';
  /** The key, or the database's name; never what it holds. */
  name: string;
  /** Origin of the storage. */
  origin: string;
}

/** A tag manager's container or a Google tag, by its id. */
export interface ContainerObservation extends Seen {
  kind: 'container';
  /** For example `GTM-ABC123` or `G-ABC123DEF4`. */
  id: string;
  /** Where it was loaded from. */
  url?: string;
  /** The ids of other containers, and the kinds of tag (`__gaawe`), that stand in it. */
  tags: string[];
}

export interface FormObservation extends Seen {
  kind: 'form';
  /** Absolute; where it sends to. */
  action: string;
  method: string;
  /** What personal data it asks for: `email`, `phone`, `name`, `address`, `birth_date`, `password`, `file` … */
  personalFields: string[];
}

/** A resource on a page before classification, including first-party resources. */
export type Observation =
  | LoadObservation
  | CookieObservation
  | StorageObservation
  | ContainerObservation
  | FormObservation;

export const isLoad = (seen: Observation): seen is LoadObservation =>
  'method' in seen && seen.kind !== 'form';

/** Whether the browser did not send the request. */
export const isUnsent = (seen: Observation | VisitRequest): boolean =>
  'failure' in seen && seen.failure === 'policy';

/** Whether the browser did not keep the cookie. */
export const isUnstored = (seen: Observation): boolean =>
  seen.kind === 'cookie' && seen.blockedReasons.length > 0;

/** State of the consent banner of a page. */
export type BannerState = 'accepted' | 'not_accepted' | 'not_found';

/** A control of a consent banner, as rendered. Colours are CSS `rgb()` texts. */
export interface BannerControl {
  role: 'accept' | 'reject' | 'settings' | 'save';
  label: string;
  /** 1: shown with the banner. 2: shown after `settings`. */
  layer: 1 | 2;
  /** In CSS pixels of the window. */
  x: number;
  y: number;
  width: number;
  height: number;
  fontSize: number;
  fontWeight: number;
  color: string;
  background: string;
  /** Rendered as a link or as text, not as a button. */
  isLink: boolean;
}

/** What can be measured of a consent banner before a choice. */
export interface BannerMeasure {
  controls: BannerControl[];
  /** Size of the window in CSS pixels; null if it could not be read. */
  window: { width: number; height: number } | null;
  /** Null: no way was found. */
  clicksToAccept: number | null;
  clicksToReject: number | null;
  /** Labels of ticked boxes for optional categories or vendors. */
  preTicked: string[];
  /** Part of the window that the banner and its backdrop cover, 0 to 1. */
  coverage: number;
  /** The page cannot be used before a choice: it is covered, or cannot be scrolled. */
  blocksPage: boolean;
}

/** A request of a visit, for its recording. */
export interface VisitRequest {
  url: string;
  method: string;
  kind: LoadObservation['kind'];
  /** Milliseconds after the visit began. */
  at: number;
  /** Sent after the choice of the state was made. */
  isAfterChoice: boolean;
  initiator?: string;
  redirectedFrom?: string;
  status?: number;
  mimeType?: string;
  failure?: string;
}

export const VISIT_OUTCOMES = [
  'reached',
  'no_banner',
  'no_control',
  'no_effect',
  'failed',
] as const;

/** One visit of a page in one state. */
export interface StateVisit {
  state: ScanState;
  /**
   * `reached`: the choice was made and took effect. `no_banner`, `no_control`: there was nothing to press.
   * `no_effect`: the press changed nothing. `failed`: see `error`.
   */
  outcome: (typeof VISIT_OUTCOMES)[number];
  error?: string;
  /** Presses that the choice took; for `withdrawn`, those of the withdrawal alone. */
  clicks: number;
  /** For `withdrawn`: whether a visitor sees how to open the banner again, or only a function of the page does. */
  control?: 'visible' | 'api';
  durationMs: number;
  requests: VisitRequest[];
  /** In the browser at the end, without values. */
  cookies: CookieObservation[];
  storage: StorageObservation[];
  /** JPEG of the window at the end; in `before`, with the banner. */
  picture?: Buffer;
  /** In `before` only. */
  banner?: BannerMeasure;
  /** The TCF consent string that the page offers at the end. */
  tcString?: string;
}

/** Result of one page visit. */
export interface PageVisit {
  /** The requested URL. */
  url: string;
  /** Where redirects within the site led. */
  finalUrl: string;
  /** Undefined when there was no answer. */
  status?: number;
  /** The bot protection that answered in place of the page, by its name. */
  botWall?: string;
  observations: Observation[];
  /** By state; absent without a browser. */
  visits?: StateVisit[];
  /** Reads where the links of the page lead once its scripts have run; absent without a browser. */
  links?: () => Promise<string[]>;
  /** Undefined if the scan did not look for one. */
  banner?: BannerState;
  /** The page was not scanned completely. */
  partial: boolean;
  /** Why the page could not be scanned, as a message for the site owner. */
  error?: string;
}
