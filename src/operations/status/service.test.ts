import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { checkMailQueue } from '../../commands/doctor/database.ts';
import { queueMail, sendDueMails } from '../../mail/index.ts';
import { Job } from '../../platform/jobs/job.ts';
import { readOperations, recordBackup } from './index.ts';

describe.each(ENGINES)('the operations status on %s', (engine) => {
  const app = useTestApp(engine);
  const read = () => {
    const scope = { version: '1.2.3', folders: ['.'], isMailSent: true, alerts: () => [] };
    return readOperations(app.platform, scope);
  };

  it('reports whether the last run of each job succeeded, failed or was interrupted', async () => {
    const runs = {
      ends: async () => {},
      fails: async () => {
        throw new Error('out of luck');
      },
      never: async () => {},
    };
    for (const [name, work] of Object.entries(runs)) {
      const next = (now: number) => (name === 'never' ? now + 60_000 : now);
      await new Job(app.platform, { name, next, work }).runIfDue();
    }
    const stopped: Job = new Job(app.platform, {
      name: 'stopped',
      next: (now) => now,
      work: async () => {
        await stopped.stop();
        throw new Error('stopped');
      },
    });
    await stopped.runIfDue();
    const { jobs } = await read();
    expect(
      Object.fromEntries(jobs.map(({ name, last_result }) => [name, last_result])),
    ).toMatchObject({
      ends: 'succeeded',
      fails: 'failed',
      never: null,
      stopped: 'interrupted',
    });
  });

  it('reports the error of an email that will be retried', async () => {
    const { datastore, clock } = app.platform;
    const mail = { to: 'ada@example.com', kind: 'test', subject: 'Hello', text: 'Hi', html: 'Hi' };
    await datastore.transaction((trx, announce) => queueMail(trx, announce, mail, clock.now()));
    expect((await read()).mail).toMatchObject({ waiting: 1, last_failure: null });
    await sendDueMails(app.platform, {
      deliver: async () => {
        throw new Error('connect ECONNREFUSED');
      },
      verify: async () => '',
    });
    expect((await read()).mail).toMatchObject({
      waiting: 1,
      failed: 0,
      last_failure: { kind: 'test', error: 'connect ECONNREFUSED' },
    });
  });

  it('counts an email that was given up until its link has expired', async () => {
    const { datastore, clock } = app.platform;
    const expiresAt = clock.now() + 60_000;
    const content = { kind: 'test', subject: 'Sign in', text: 'Hi', html: 'Hi' };
    const mail = { ...content, to: 'ada@example.com', expiresAt };
    await datastore.transaction((trx, announce) => queueMail(trx, announce, mail, clock.now()));
    const delivery = {
      deliver: async () => {
        throw Object.assign(new Error('no such user'), { code: 'EENVELOPE', responseCode: 550 });
      },
      verify: async () => '',
    };
    const { failed } = (await read()).mail;
    while (await sendDueMails(app.platform, delivery)) {}
    expect((await read()).mail.failed).toBe(failed + 1);
    await expect(checkMailQueue(app.platform)).rejects.toThrow(
      'could not be delivered. Operations in the console shows the last error and says how to send them again',
    );
    app.clock.advance(60_000);
    expect((await read()).mail.failed).toBe(failed);
    expect(await checkMailQueue(app.platform)).toContain('none failed');
  });

  it('reports the time of the last backup', async () => {
    expect((await read()).backup).toEqual({ last_at: null });
    await recordBackup(app.platform);
    expect((await read()).backup.last_at).toBe(new Date(app.platform.clock.now()).toISOString());
  });
});
