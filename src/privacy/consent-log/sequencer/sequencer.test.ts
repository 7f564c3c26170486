import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { logAll, toAppenderOrder } from '../../../../test/support/consent-log.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { SIDE_FILES } from '../../../platform/db/index.ts';
import { openLog } from '../index.ts';
import { toLogFile } from '../log/open.ts';
import { Sequencer } from './sequencer.ts';

const app = useTestApp('sqlite');

it('has no failure any more once the log can be read and has an entry of every row', async () => {
  const body = { visitor_id: 'visitor-1', consent_action: 'accept_all' };
  expect((await app.http.post('/wp-json/svc/v1/consent', { body })).status).toBe(200);
  await logAll(app);
  const file = toLogFile(app.config.dataDir);
  const move = (from: string, to: string) => {
    for (const suffix of ['', ...SIDE_FILES])
      if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  };
  move(file, `${file}.away`);
  writeFileSync(file, 'not a database'.repeat(100));
  const log = openLog(app.platform, app.config);
  const sequencer = new Sequencer(app.platform, log, () => toAppenderOrder(app));
  sequencer.start();
  try {
    await vi.waitFor(() => expect(sequencer.failure?.message).toContain('not a database'));
    move(`${file}.away`, file);
    app.clock.advance(10_000);
    await vi.waitFor(() => expect(sequencer.failure).toBeUndefined(), { timeout: 10_000 });
  } finally {
    await sequencer.stop();
    await sequencer.close();
    await log.close();
  }
});
