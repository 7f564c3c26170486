import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { dumpDatabase } from '../../../../test/support/dump.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { expireUnconfirmed } from '../cases/expiry.ts';
import { sendDueAcknowledgements } from '../intake/acknowledgements/service.ts';

describe.each(ENGINES)('The deletion log of requests on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const remove = (id: number, body?: object) =>
    dsarClient.admin('DELETE', `/dsar/cases/${id}`, body);
  const metrics = async () => (await dsarClient.admin('GET', '/dsar/metrics')).json;

  it('keeps the actor, time and reason of a deletion, and nothing about the person', async () => {
    const { id, reference, email } = await dsarClient.request({ first_name: 'Ottilie' });
    app.clock.advance(60_000);
    const { status, json } = await remove(id, { reason: ' Sent twice by a test. ' });
    expect([status, json.deleted, json.previous.reference]).toEqual([200, true, reference]);
    const log = await dsarClient.admin('GET', '/dsar/deletions');
    expect(log.headers.get('x-wp-total')).toBe('1');
    expect(log.json).toEqual([
      {
        id: expect.any(Number),
        reference,
        request_type: 'access',
        status: 'received',
        received_at: new Date(app.clock.now() - 60_000).toISOString(),
        closed_at: null,
        deleted_at: new Date(app.clock.now()).toISOString(),
        actor: expect.stringMatching(/.+/),
        reason: 'Sent twice by a test.',
      },
    ]);
    await dsarClient.mails();
    expect(JSON.stringify(log.json)).not.toContain(email);
    expect(await dumpDatabase(app.platform)).not.toContain('Ottilie');
  });

  it('follows the end of unsent emails about the request, except those about several', async () => {
    const { id } = await dsarClient.request();
    expect((await remove(id)).status).toBe(200);
    expect(await dsarClient.mails()).toEqual([]);
    const email = 'several@example.com';
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.push((await dsarClient.request({ email })).id);
    await dsarClient.mails();
    app.clock.advance(3_600_000);
    await sendDueAcknowledgements(dsarClient.dsar());
    expect((await remove(ids.at(-1) ?? 0)).status).toBe(200);
    expect((await dsarClient.mails()).map(({ kind }) => kind)).toEqual(['dsar_acknowledgements']);
    ids.push((await dsarClient.request({ email })).id);
    app.clock.advance(31 * DAY_MS);
    await dsarClient.mails();
    await expireUnconfirmed(dsarClient.dsar());
    expect((await remove(ids.at(-1) ?? 0)).status).toBe(200);
    expect((await dsarClient.mails()).map(({ kind }) => kind)).toEqual(['dsar_expired']);
  });

  it('accepts no reason and rejects a blank one', async () => {
    const { id, reference } = await dsarClient.request();
    const blank = await remove(id, { reason: ' \n' });
    expect([blank.status, Object.keys(blank.json.data.params)]).toEqual([400, ['reason']]);
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).status).toBe(200);
    expect((await remove(id)).status).toBe(200);
    expect((await dsarClient.admin('GET', '/dsar/deletions')).json[0]).toMatchObject({
      reference,
      reason: null,
    });
  });

  it('has no entry for a request under a legal hold, which cannot be deleted', async () => {
    const { id } = await dsarClient.request();
    const before = (await dsarClient.admin('GET', '/dsar/deletions')).json;
    const hold = { data_category: 'dsar_cases', record_id: id, reason: 'A lawsuit.' };
    const { json } = await dsarClient.admin('POST', '/retention/holds', hold);
    const refused = await remove(id, { reason: 'A test.' });
    expect([refused.status, refused.json.code]).toEqual([403, 'delete_failed']);
    expect((await dsarClient.admin('GET', '/dsar/deletions')).json).toEqual(before);
    await dsarClient.admin('DELETE', `/retention/holds/${json.id}`);
    expect((await remove(id, { reason: 'A test.' })).status).toBe(200);
  });

  it('does not change the metrics, except for open requests', async () => {
    const before = await metrics();
    const open = await dsarClient.request({ request_type: 'objection' });
    const refused = await dsarClient.request({ request_type: 'objection' });
    const reason = 'It is unfounded.';
    await dsarClient.admin('PUT', `/dsar/cases/${refused.id}`, {
      status: 'rejected',
      ground: 'unfounded',
      reason,
    });
    await remove(open.id, { reason: 'A test.' });
    await remove(refused.id, { reason: 'A test.' });
    const after = await metrics();
    expect(after).toMatchObject({
      received: before.received + 2,
      rejected: before.rejected + 1,
      deleted: before.deleted + 2,
      open: before.open,
    });
    expect(after.by_type.objection).toMatchObject({ received: 2, rejected: 1, deleted: 2 });
  });

  it('has the requests that retention deletes, which still count in the metrics', async () => {
    const { id, reference } = await dsarClient.request({ request_type: 'portability' });
    const refusal = { status: 'rejected', ground: 'unfounded', reason: 'It is unfounded.' };
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, refusal);
    app.clock.advance(2 * DAY_MS);
    const before = await metrics();
    const fields = { name: 'Requests', data_category: 'dsar_cases', action: 'delete' };
    const period = { period_value: 1, period_unit: 'days' };
    const policy = await dsarClient.admin('POST', '/retention/policies', { ...fields, ...period });
    const run = await dsarClient.admin('POST', '/retention/run', {
      dry_run: false,
      policy_id: policy.json.id,
    });
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).status).toBe(404);
    const [entry] = (await dsarClient.admin('GET', '/dsar/deletions')).json;
    expect(entry).toMatchObject({
      ...{ reference, request_type: 'portability', status: 'rejected' },
      closed_at: expect.any(String),
      deleted_at: new Date(app.clock.now()).toISOString(),
      actor: expect.stringMatching(/^administrator-/),
      reason: `Retention policy ${policy.json.id}, run ${run.json.run_id}`,
    });
    const deleted = before.deleted + run.json.total_affected;
    expect(await metrics()).toEqual({
      ...before,
      deleted,
      by_type: expect.objectContaining({
        portability: { ...before.by_type.portability, deleted: 1 },
      }),
    });
  });

  it('is anonymised by retention, and still counts in the metrics', async () => {
    const { received } = await metrics();
    app.clock.advance(4 * 366 * 86_400_000);
    const path = '/retention/policies?data_category=dsar_deletions';
    const { id } = (await dsarClient.admin('GET', path)).json[0];
    await dsarClient.admin('POST', '/retention/run', { dry_run: false, policy_id: id });
    for (const { actor, reason } of (await dsarClient.admin('GET', '/dsar/deletions')).json) {
      expect([actor, reason]).toEqual(['anonymised', null]);
    }
    expect((await metrics()).received).toBe(received);
  });
});
