import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailServer, mailServer } from '../support/mail-server.ts';
import { dataFolder, pavis, pavisJson } from '../support/process.ts';

describe('doctor with a mail server', () => {
  const folder = dataFolder();
  let server: MailServer;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await mailServer();
    const url = new URL(server.url);
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_SMTP_URL: url.href };
  });
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });

  const check = (checks: { name: string }[]) => checks.find(({ name }) => name === 'mail');

  it('connects and sends nothing', async () => {
    const { ok, checks } = await pavisJson(['doctor'], env);
    expect([ok, check(checks)]).toEqual([
      true,
      { name: 'mail', ok: true, message: expect.stringContaining('answers') },
    ]);
    expect(server.arrived).toEqual([]);
  });

  it('sends a test email with --send-test-mail', async () => {
    await pavisJson(['doctor', '--send-test-mail', 'Ada@Example.com'], env);
    expect(server.arrived.map(({ to, mail }) => [to, mail.subject])).toEqual([
      [['ada@example.com'], 'Test email from Pavis'],
    ]);
    const { code } = await pavis(['doctor', '--send-test-mail', 'nobody'], env);
    expect(code).toBe(2);
  });

  it('fails while the server is unreachable, and prints no password, nor does config', async () => {
    const { host } = new URL(server.url);
    const withPassword = { ...env, PAVIS_SMTP_URL: `smtp://user:hush-hush@${host}` };
    const config = await pavis(['config'], withPassword);
    expect(config.stdout).toContain(`smtp://user:***@${host}`);
    await server.stop();
    const { code, stdout, stderr } = await pavis(['doctor'], withPassword);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}mail: .*\. Check PAVIS_SMTP_URL, and whether /m);
    expect(config.stdout + stdout + stderr).not.toContain('hush-hush');
  });
});
