import { expect, it } from 'vitest';
import type { SecurityEvent } from './queries.ts';
import { describe } from './terms.ts';

const say = (event: SecurityEvent['event'], details: object) =>
  describe({ event, details, address: null } as SecurityEvent);

it('counts the records of an export', () => {
  const counts = [0, 1, 1_200].map((records) => say('data_exported', { records }));
  expect(counts).toEqual(['0 records', '1 record', '1,200 records']);
});

it('says that an unfinished export may have more records', () => {
  const details = { what: 'consent_records', records: 1_000, unfinished: true };
  expect(say('data_exported', details)).toBe('Consent records · At least 1,000 records');
});

it('names what was done to a webhook, and its host', () => {
  const done = ['deleted', 'deactivated_gone', 'secret_rotated'].map((action) =>
    say('webhook_changed', { action, endpoint: 3, host: 'crm.example.com' }),
  );
  expect(done).toEqual([
    'Deleted · crm.example.com',
    'Deactivated: answered 410 · crm.example.com',
    'Secret rotated · crm.example.com',
  ]);
  expect(say('webhook_changed', { action: 'failed_sent_again', endpoint: 3, records: 2 })).toBe(
    'Failed events sent again · 2 records',
  );
});
