import { describe, expect, it } from 'vitest';
import { findRelyingParty } from './relying-party.ts';

describe('where passkeys are valid', () => {
  it.each([
    ['https://pavis.example.com', 'pavis.example.com'],
    ['https://pavis.example.com:8443', 'pavis.example.com'],
    ['http://localhost:8787', 'localhost'],
    ['http://pavis.localhost', 'pavis.localhost'],
  ])('%s is suitable', (origin, id) => {
    expect(findRelyingParty(origin)).toEqual({ party: { id, origin } });
  });

  it.each([
    ['http://127.0.0.1:8787', 'is an IP address'],
    ['https://192.0.2.7', 'is an IP address'],
    ['https://[2001:db8::7]', 'is an IP address'],
    ['http://pavis.example.com', 'is not https'],
  ])('%s is not, and the reason is given', (origin, reason) => {
    const { party, problem } = findRelyingParty(origin);
    expect(party).toBeUndefined();
    expect(problem).toContain(`${origin}, ${reason}`);
  });
});
