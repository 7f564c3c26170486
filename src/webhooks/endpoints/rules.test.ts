import { describe, expect, it } from 'vitest';
import { createSecret, findUrlProblem, readSecret } from './rules.ts';

describe('the address of a webhook', () => {
  it.each([
    ['https://crm.example.com/hooks?source=pavis', undefined],
    ['https://8.8.8.8/hooks', undefined],
    ['http://crm.example.com/', 'https'],
    ['ftp://crm.example.com/', 'https'],
    ['crm.example.com', 'https'],
    ['https://user:secret@crm.example.com/', 'without user and password'],
    ['https://crm.example.com/#part', 'fragment'],
    ['https://localhost/', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://api.localhost/', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://127.0.0.1/', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://2130706433/', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://0x7f.1/', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://10.1.2.3:8443/', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://169.254.169.254/latest/meta-data', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://[::1]/', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://[::ffff:10.0.0.1]/', 'PAVIS_PRIVATE_WEBHOOKS'],
    ['https://[fd00::1]/', 'PAVIS_PRIVATE_WEBHOOKS'],
  ])('%s', (url, problem) => {
    if (problem === undefined) expect(findUrlProblem(url, false)).toBeUndefined();
    else expect(findUrlProblem(url, false)).toContain(problem);
  });

  it('may be private and without TLS if the operator allows it', () => {
    for (const url of ['http://localhost:3000/', 'http://10.0.0.1/', 'https://[::1]/'])
      expect(findUrlProblem(url, true)).toBeUndefined();
    expect(findUrlProblem('file:///etc/passwd', true)).toContain('http');
  });
});

it('a secret has 32 random bytes in the form of Standard Webhooks', () => {
  expect(createSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(readSecret(createSecret())).toHaveLength(32);
  expect(createSecret()).not.toBe(createSecret());
});
