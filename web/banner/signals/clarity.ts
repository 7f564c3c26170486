import { onConsent } from './on-consent.ts';

/** Microsoft Clarity. Source: Microsoft Learn, “Clarity Consent API V2” and “CMP Integration Guide for Clarity”. */
interface Clarity {
  (...command: unknown[]): void;
  q?: unknown[];
}

const shared = window as { clarity?: Clarity };

// The queue that Clarity's own snippet would create.
shared.clarity ??= (...command) => {
  const { clarity } = shared;
  if (!clarity) return;
  clarity.q ??= [];
  clarity.q.push(command);
};

/**
 * One object for all commands: a denial that still waits in the queue becomes the stored choice. Otherwise Clarity
 * would delete its cookies and start a new session on each page (`consentv2` in clarity-js/src/data/metadata.ts).
 */
const state = { ad_Storage: 'denied', analytics_Storage: 'denied' };

const send = () => shared.clarity?.('consentv2', state);

send();
onConsent((has) => {
  state.ad_Storage = has('marketing') ? 'granted' : 'denied';
  state.analytics_Storage = has('analytics') ? 'granted' : 'denied';
  send();
});
