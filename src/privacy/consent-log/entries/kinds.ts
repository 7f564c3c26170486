/** What an entry of the consent log is about. The first and `earlierDecision` are consent records. */
export const ENTRY_KINDS = {
  decision: 1,
  bannerVersion: 2,
  /** A batch of a retention run, or of an erasure. */
  removal: 3,
  scan: 4,
  /** The database was restored from a backup. */
  restore: 5,
  /** The last rows of the logs about licences and users. */
  auditHeads: 6,
  /** A consent record from before the log: it was there when the log began. */
  earlierDecision: 7,
  bannerPictures: 8,
  /** The log before this one was lost. */
  lostLog: 9,
} as const;

/** Kinds whose facts are in `consent_log_records`. */
export type FactsKind = Exclude<
  (typeof ENTRY_KINDS)[keyof typeof ENTRY_KINDS],
  typeof ENTRY_KINDS.decision | typeof ENTRY_KINDS.earlierDecision
>;

/** Fact of the installation: the highest id of the consent records from before the log; migration 056 has written it. */
export const LAST_ID_BEFORE_LOG = 'consent records before the log';
