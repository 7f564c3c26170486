import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../test/support/dsar.ts';
import { ENGINES } from '../../test/support/engines.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { PERSONAL_DATA } from '../modules/personal-data.ts';
import { DAY_MS } from '../platform/durations.ts';
import { expireUnconfirmed } from '../privacy/dsar/cases/expiry.ts';

/** Kinds of records without an age, and what ends them instead. */
const ENDED_OTHERWISE: Record<string, string> = {
  consent_subjects: 'deleted once they have expired',
  licences: 'their notes are removed with the address of their customer',
  checkout_orders: 'deleted a month after they were begun',
  users: 'deleted by administrators',
  application_passwords: 'revoked by their users, and deleted with them',
  authenticator_apps: 'removed by their users, and deleted with them',
  passkeys: 'removed by their users, and deleted with them',
  user_sessions: 'deleted once they have ended',
  user_identities: 'deleted with their users',
  password_resets: 'deleted once they have ended; they hold hashes only',
  sign_in_links: 'deleted once they have ended; they hold hashes only',
};

/** Records that may still change, and have no end yet. */
const IN_USE: Record<string, string> = {
  dsar_cases: "status in ('in_progress', 'on_hold') or verified_at is not null",
  dsar_packages: 'case_closed_at is null and file_name is not null',
  outbox_mails: "status in ('pending', 'sending')",
  activations: 'takes_slot in (0, 1) and deactivated_at is null',
};

describe.each(ENGINES)('retention covers all personal data on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);

  it('each kind of record has an age that a policy can count, or another end', () => {
    const ageless = PERSONAL_DATA.filter(
      ({ due, personal }) => due === undefined && Object.keys(personal).length > 0,
    );
    expect(ageless.map(({ category }) => category).toSorted()).toEqual(
      Object.keys(ENDED_OTHERWISE).toSorted(),
    );
  });

  it('each kind of record with an age starts with a policy, or names the history that it belongs to', () => {
    const without = PERSONAL_DATA.filter(({ due, policy }) => due !== undefined && !policy);
    expect(without.map(({ category }) => category)).toEqual(['activation_history']);
  });

  it('no record is without an end once it no longer changes', async () => {
    const { db } = app.platform.datastore;
    const { id: unconfirmed } = await dsarClient.request();
    const { id: refused } = await dsarClient.request();
    await dsarClient.admin('PUT', `/dsar/cases/${refused}`, { status: 'rejected', reason: 'No.' });
    const { id: deleted } = await dsarClient.request();
    await dsarClient.admin('DELETE', `/dsar/cases/${deleted}`, { reason: 'A test.' });
    await app.http.post('/wp-json/svc/v1/consent', {
      body: { visitor_id: 'somebody', consent_action: 'reject_all' },
    });
    await dsarClient.mails();
    await dsarClient.request();
    // It is given up: the server accepts no mail.
    await db
      .updateTable('outbox_mails')
      .set({ status: 'dead', ended_at: 1 })
      .where('status', '=', 'pending')
      .execute();
    app.clock.advance(40 * DAY_MS);
    await expireUnconfirmed(dsarClient.dsar());
    await dsarClient.mails();
    expect((await dsarClient.admin('GET', `/dsar/cases/${unconfirmed}`)).json.status).toBe(
      'withdrawn',
    );

    for (const { table, due } of PERSONAL_DATA) {
      if (due === undefined) continue;
      const inUse = IN_USE[table] ? sql`and not (${sql.raw(IN_USE[table])})` : sql``;
      const { rows } = await sql`select id from ${sql.table(table)}
        where ${sql.ref(due)} is null ${inUse}`.execute(db);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});
