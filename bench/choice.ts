import type { Probe } from './load.ts';

/** A consent choice as the banner sends it, each from a different visitor. */
export const CHOICE: Probe = {
  method: 'POST',
  path: '/wp-json/svc/v1/consent',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    visitor_id: 'VISITOR',
    consent_action: 'manage',
    categories_accepted: ['functional', 'analytics'],
    categories_rejected: ['marketing', 'personalisation'],
    source: 'banner',
    language: 'en',
  }),
  isAnswer: (body) => body.endsWith('"message":"Consent recorded."}'),
};
