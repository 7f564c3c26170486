import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { pavis, pavisJson } from '../support/process.ts';
import { useServerProcess } from '../support/server-process.ts';

describe('pavis retention, beside a running server', () => {
  const server = useServerProcess();
  const { folder, env } = server;

  const retention = (...args: string[]) => pavisJson(['retention', ...args], env);

  it('list prints the policies of a new installation', async () => {
    const { policies } = await retention('list');
    expect(policies[0]).toMatchObject({
      data_category: 'consent_records',
      period_value: 13,
      period_unit: 'months',
      action: 'anonymise',
      is_active: 1,
    });
    const { stdout } = await pavis(['retention', 'list'], env);
    expect(stdout).toContain('13 months');
  });

  it('add creates a policy and names it by what it does', async () => {
    const what = ['--category', 'activation_history', '--action', 'delete'];
    const made = await retention('add', ...what, '--years', '2', '--inactive');
    expect(made).toMatchObject({
      name: 'activation_history: delete after 2 years',
      period_value: 2,
      period_unit: 'years',
      is_active: 0,
    });
    expect((await retention('list')).policies).toContainEqual(made);
    for (const wrong of [[], ['--days', '1', '--months', '1'], ['--days', '0']]) {
      const { code, stderr } = await pavis(['retention', 'add', ...what, ...wrong], env);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^pavis: [^\n]+\n$/);
    }
    const tooLong = await pavis(['retention', 'add', ...what, '--years', '101'], env);
    expect(tooLong).toMatchObject({
      code: 2,
      stderr: 'pavis: The period must be at most 100 years.\n',
    });
    const named = (name: string) =>
      pavis(['retention', 'add', ...what, '--days', '1', '--name', name], env);
    expect(await named(' ')).toMatchObject({
      code: 2,
      stderr: 'pavis: name must not be blank or contain control characters.\n',
    });
    expect((await named('x'.repeat(101))).code).toBe(2);
    const idle = await pavis(['retention', 'run', '--policy', String(made.id)], env);
    expect(idle).toMatchObject({
      code: 0,
      stdout: `Policy ${made.id} is inactive: it does not run.\n`,
    });
  });

  it('run does the same as the API, and --dry-run only reports it', async () => {
    const key = await pavisJson(
      ['licence', 'issue', '--email', 'a@example.com', '--tier', 'pro', '--days', '9'],
      env,
    );
    await server.http.site('activate', key.key, 'https://example.org');
    const { policies: seeded } = await retention('list');
    const policies_run = seeded.filter(({ is_active }: { is_active: 0 | 1 }) => is_active).length;
    const dry = await retention('run', '--dry-run');
    expect(dry).toMatchObject({ policies_run, total_affected: 0, dry_run: true, run_id: null });
    const real = await retention('run');
    expect(real).toMatchObject({ policies_run, total_affected: 0, dry_run: false });
    expect(real.run_id).toBeGreaterThan(0);
    const { policies } = await retention('list');
    expect(policies[0].last_run_at).toBe(real.as_of);
    const one = await retention('run', '--policy', String(policies[0].id));
    expect(one.policies_run).toBe(1);
    const unknown = await pavis(['retention', 'run', '--policy', '4711'], env);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toBe('pavis: The retention policy was not found.\n');
    const { stdout, stderr } = await pavis(['retention', 'run'], env);
    expect(stdout).toContain('0 records changed.');
    expect(stderr).toBe('');
    const database = new DatabaseSync(join(folder, 'pavis.db'), { timeout: 5_000 });
    database.exec(`INSERT INTO dsar_deletions
      (reference, request_type, status, received_at, received_on, deleted_at, actor)
      VALUES ('DSR-20240101-X', 'access', 'received', 1, '2024-01-01', 1, 'ada')`);
    database.close();
    expect((await pavis(['retention', 'run'], env)).stdout).toContain('\n1 record changed.');
  });
});
