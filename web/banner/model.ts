import type { ConsentAction, FirstTexts, Status, Texts, VendorChoice } from './wire.ts';

/**
 * The current consent. `action` is null before the first choice. If visitors can choose vendors, the lists have those as
 * `category/vendor`, too.
 */
export interface ConsentState {
  accepted: string[];
  rejected: string[];
  action: ConsentAction | 'gpc' | null;
  version: number;
  /** Vendors that differ from their category; undefined if visitors cannot choose vendors. */
  vendors?: VendorChoice | undefined;
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
  /** Whether a category, or a vendor in it as `category/vendor`, is accepted; false for unknown ones. */
  has(category: string): boolean;
  /** A choice applies at once. The promises resolve after the first attempt to send it. */
  accept(source?: string): Promise<void>;
  reject(source?: string): Promise<void>;
  /**
   * Accepts these categories and rejects all others.
   * @param vendors default: those of the last choice
   * @param rejected the only ones to reject: the others stay undecided
   */
  set(
    accepted: readonly string[],
    source?: string,
    vendors?: VendorChoice,
    rejected?: string[],
  ): Promise<void>;
  /** Resolves after the first attempt to send the last choice. */
  readonly sent: Promise<void>;
  /** Subscribes to changes. @returns unsubscribes */
  onChange(listener: ConsentListener): () => void;
  /** The texts of the banner; undefined if the server cannot be reached. */
  texts(): Promise<Texts | undefined>;
  /** At least those that visitors see first, without a request if the file contains them. */
  firstTexts(): Promise<FirstTexts | undefined>;
}
