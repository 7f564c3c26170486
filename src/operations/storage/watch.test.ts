import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { makeUser } from '../../../test/support/users.ts';
import { type StorageScope, StorageWatch } from './watch.ts';

const PLENTY = 1;
const TOO_MUCH = Number.MAX_SAFE_INTEGER;

describe.each(ENGINES)('the storage watch on %s', (engine) => {
  const app = useTestApp(engine);
  const limits = { diskWarnBytes: PLENTY, databaseWarnBytes: TOO_MUCH };
  let language = 'en';
  const scope = (): StorageScope => ({
    get diskWarnBytes() {
      return limits.diskWarnBytes;
    },
    get databaseWarnBytes() {
      return limits.databaseWarnBytes;
    },
    folders: [app.config.dataDir],
    sender: async () => ({ fromName: 'Example', language }),
  });
  const mails = () =>
    app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['recipient', 'subject', 'body_text', 'body_html'])
      .where('kind', '=', 'storage_alert')
      .orderBy('id')
      .execute();

  it('emails each administrator once per limit, regardless of nodes and restarts', async () => {
    const [ada, grace] = [await makeUser(app.platform), await makeUser(app.platform)];
    await makeUser(app.platform, 'editor');
    const one = new StorageWatch(app.platform, scope());
    const other = new StorageWatch(app.platform, scope());
    await Promise.all([one.check(), other.check()]);
    expect([one.alerts, await mails()]).toEqual([[], []]);

    limits.diskWarnBytes = TOO_MUCH;
    await Promise.all([one.check(), other.check()]);
    await one.check();
    const restarted = new StorageWatch(app.platform, scope());
    await restarted.check();
    expect([one, other, restarted].map(({ alerts }) => alerts)).toEqual(
      Array(3).fill(['disk_low']),
    );
    const sent = await mails();
    expect(sent.map(({ recipient }) => recipient).sort()).toEqual([ada.email, grace.email].sort());
    expect(sent[0]?.subject).toBe('The disk of Pavis is almost full');
    expect(sent[0]?.body_text).toMatch(/Free space: [\d.,]+ GB/);
    expect(one.render()).toContain('pavis_storage_alert{alert="disk_low"} 1');

    limits.diskWarnBytes = PLENTY;
    await restarted.check();
    expect(restarted.alerts).toEqual([]);
    limits.diskWarnBytes = TOO_MUCH;
    language = 'de-AT';
    await restarted.check();
    expect((await mails()).at(-1)?.subject).toBe('Der Speicherplatz von Pavis ist fast voll');
    expect(await mails()).toHaveLength(4);
    limits.diskWarnBytes = PLENTY;
    await restarted.check();
    limits.diskWarnBytes = TOO_MUCH;
    language = 'ar-EG';
    await restarted.check();
    const english = (await mails()).at(-1);
    expect(english?.body_html).toContain('<html lang="en">');
    expect(english?.body_text).toMatch(/Free space: [\d.,]+ GB/);
  });

  it('reads the size of the database', async () => {
    const size = await app.platform.datastore.size();
    expect(size).toBeGreaterThan(100_000);
    expect(await app.platform.datastore.bulkhead('hot').size()).toBe(size);
  });
});

describe('a server', () => {
  const low = useTestApp('postgres', { PAVIS_DATABASE_WARN_MB: '1' });

  it('reports low storage in /health, and keeps working', async () => {
    expect((await low.http.get('/health')).json).toMatchObject({ status: 'ok', storage: 'ok' });
    await low.storage.check();
    const { status, json } = await low.http.get('/health');
    expect([status, json.storage]).toEqual([200, 'low']);
    expect((await low.http.get('/metrics')).text).toMatch(/^pavis_disk_free_bytes \d+$/m);
  });
});
