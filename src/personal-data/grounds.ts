/** Why records are kept despite a request for erasure: the reason for people, and the article of the GDPR. */
export const KEEPING_GROUNDS = {
  in_use: { reason: 'not finished yet', article: 'Art. 17(1)(a)' },
  contract: {
    reason:
      'needed while a licence has neither expired nor been revoked, or a subscription renews it',
    article: 'Art. 6(1)(b)',
  },
  open_order: { reason: 'needed for an order that is still open', article: 'Art. 6(1)(b)' },
  open_request: { reason: 'needed to answer a request', article: 'Art. 17(3)(b)' },
  legal_hold: { reason: 'under a legal hold', article: 'Art. 17(3)(e)' },
  evidence: {
    reason: 'proof of what was done, and needed for legal claims',
    article: 'Art. 17(3)(b) and (e)',
  },
  statutory_retention: {
    reason: 'tax and commercial law require us to keep it',
    article: 'Art. 17(3)(b)',
  },
  console_account: {
    reason: 'part of a staff account, which an administrator decides on',
    article: 'Art. 6(1)(f)',
  },
} as const;

export type KeepingGround = keyof typeof KEEPING_GROUNDS;
