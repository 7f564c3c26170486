/** A defect of the consent banner or of consent signals, in words for the owner of the site. */
export interface Shortcoming {
  /** Identifies the kind, for example `no_reject_on_first_layer`. */
  code: string;
  title: string;
  /** What was measured, with figures. */
  explanation: string;
  /** Where the expectation comes from. */
  source: string;
}
