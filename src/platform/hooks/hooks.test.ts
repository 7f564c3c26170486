import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HOOK_CATALOGUE, type HookEntry } from '../../extensions/catalogue.ts';
import { createLogger } from '../log.ts';
import { Hooks } from './hooks.ts';

const PATIENCE = 50;
const summary = { scan_id: 7, status: 'completed', pages: 2, findings: 5, vendors: 1 };
const finding = {
  scan_id: 7,
  resource_type: 'script',
  url: 'https://cdn.example/a.js',
  host: 'cdn.example',
  third_party: true,
  category: null as string | null,
  name: null,
  page_url: 'https://shop.example/',
  details: {},
  states: [],
  verdict: null,
};

const lines: string[] = [];
const log = await createLogger('info', { write: (line) => lines.push(line) });
let hooks: Hooks;
let calls: string[];
beforeEach(() => {
  hooks = new Hooks(log, HOOK_CATALOGUE, PATIENCE);
  calls = [];
  lines.length = 0;
});

describe('An action', () => {
  it('calls back by priority, then in the order of adding, each when the one before is done', async () => {
    hooks.addAction('svc_scan_complete', () => calls.push('late'), 20);
    hooks.addAction('svc_scan_complete', async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      calls.push('first of 10');
    });
    hooks.addAction('svc_scan_complete', () => calls.push('second of 10'));
    hooks.addAction('svc_scan_complete', () => calls.push('early'), -1);
    await hooks.doAction('svc_scan_complete', summary);
    expect(calls).toEqual(['early', 'first of 10', 'second of 10', 'late']);
  });

  it('hands out all of its arguments', async () => {
    hooks.addAction('svc_dsar_received', (reference, type) => calls.push(`${reference} ${type}`));
    await hooks.doAction('svc_dsar_received', 'DSR-20260131-7K2M9Q', 'access');
    expect(calls).toEqual(['DSR-20260131-7K2M9Q access']);
  });

  it('does not call a callback that was taken out, even by one before it', async () => {
    hooks.addAction('svc_scan_complete', () => removeSecond());
    const removeSecond = hooks.addAction('svc_scan_complete', () => calls.push('second'));
    const removeThird = hooks.addAction('svc_scan_complete', () => calls.push('third'));
    await hooks.doAction('svc_scan_complete', summary);
    removeThird();
    removeThird();
    await hooks.doAction('svc_scan_complete', summary);
    expect(calls).toEqual(['third']);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => fail(new Error('no luck with ada@example.com'))],
    ['rejects', () => Promise.reject(new Error('no luck'))],
    ['throws what is no error', () => fail(null)],
    ['throws what cannot even be shown', () => fail(Object.create(null))],
    ['throws an error without a stack', () => fail(Object.assign(new Error(), { stack: 1 }))],
    ['never settles', () => new Promise(() => {})],
  ])('goes on after a callback that %s, and logs who it was', async (_what, callback) => {
    hooks.addAction('svc_scan_complete', callback, 10, './shop.js');
    hooks.addAction('svc_scan_complete', () => calls.push('next'));
    await hooks.doAction('svc_scan_complete', summary);
    expect(calls).toEqual(['next']);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(String(lines))).toMatchObject({
      level: 'error',
      hook: 'svc_scan_complete',
      extension: './shop.js',
      err: { type: expect.stringMatching(/^(?:Timeout)?Error$/) },
    });
    expect(String(lines)).not.toContain('ada@');
  });

  it('calls the next when a callback has taken its turn, and still waits for both', async () => {
    vi.useFakeTimers();
    hooks = new Hooks(log, HOOK_CATALOGUE);
    hooks.addAction('svc_scan_complete', () => new Promise(() => {}));
    hooks.addAction('svc_scan_complete', () => calls.push('next'));
    const done = hooks.doAction('svc_scan_complete', summary).then(() => calls.push('done'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls).toEqual(['next']);
    await vi.advanceTimersByTimeAsync(9_000);
    await done;
    vi.useRealTimers();
    expect(calls).toEqual(['next', 'done']);
    expect(lines).toHaveLength(1);
  });

  it('ignores how a callback that was given up ends later', async () => {
    const late = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2 * PATIENCE));
      throw new Error('too late');
    };
    hooks.addAction('svc_scan_complete', late);
    await hooks.doAction('svc_scan_complete', summary);
    // An unhandled rejection would fail the run.
    await new Promise((resolve) => setTimeout(resolve, 2 * PATIENCE));
    expect(lines).toHaveLength(1);
  });

  it('waits ten seconds unless told otherwise', () => {
    expect(new Hooks(log, HOOK_CATALOGUE).timeoutMs).toBe(10_000);
  });

  it('keeps what one callback does to its arguments from the others and the caller', async () => {
    const given = { ...summary };
    hooks.addAction('svc_scan_complete', (it) => {
      it.pages = 99;
    });
    hooks.addAction('svc_scan_complete', (it) => calls.push(String(it.pages)));
    await hooks.doAction('svc_scan_complete', given);
    expect(calls).toEqual(['2']);
    expect(given).toEqual(summary);
  });
});

describe('A filter', () => {
  it('gives each callback what the one before returned', async () => {
    hooks.addFilter('svc_scan_finding', (it) => ({ ...it, name: `${it.category} chat` }), 20);
    hooks.addFilter('svc_scan_finding', async (it) => ({ ...it, category: 'preferences' }));
    const result = await hooks.applyFilters('svc_scan_finding', finding);
    expect(result).toEqual({ ...finding, category: 'preferences', name: 'preferences chat' });
  });

  it('leaves the value as it is without callbacks', async () => {
    expect(await hooks.applyFilters('svc_scan_finding', finding)).toBe(finding);
  });

  it.each<[string, (it: typeof finding) => unknown, number]>([
    ['returns nothing', () => undefined, 0],
    ['returns null', () => null, 1],
    ['returns false', () => false, 1],
    ['returns a list', () => [], 1],
    ['returns what cannot be copied', (it) => ({ ...it, host: 'other.example', on: fail }), 1],
    ['throws', () => fail(new Error('no luck')), 1],
    ['never settles', () => new Promise(() => {}), 1],
    ['changes its argument and throws', (it) => fail(Object.assign(it, { host: 'changed' })), 1],
  ])('leaves the value as it was after a callback that %s', async (_what, callback, logged) => {
    hooks.addFilter('svc_scan_finding', (it) => ({ ...it, category: 'preferences' }), 1);
    hooks.addFilter('svc_scan_finding', callback as () => undefined, 2, './shop.js');
    hooks.addFilter('svc_scan_finding', (it) => ({ ...it, name: `${it.host} chat` }), 3);
    const result = await hooks.applyFilters('svc_scan_finding', finding);
    expect(result).toEqual({ ...finding, category: 'preferences', name: 'cdn.example chat' });
    expect(lines.map((line) => JSON.parse(line).extension)).toEqual(
      Array(logged).fill('./shop.js'),
    );
  });
});

describe('A filter that gives no result', () => {
  it('is given up once, removed and reported', async () => {
    const told: string[][] = [];
    hooks.onHang = (...problem) => told.push(problem);
    hooks.addFilter('svc_scan_finding', () => new Promise(() => {}), 1, './hung.js');
    hooks.addFilter('svc_scan_finding', (it) => ({ ...it, category: 'marketing' }), 2);
    const both = await Promise.all([
      hooks.applyFilters('svc_scan_finding', finding),
      hooks.applyFilters('svc_scan_finding', finding),
    ]);
    const third = await hooks.applyFilters('svc_scan_finding', finding);
    const expected = { ...finding, category: 'marketing' };
    expect([...both, third]).toEqual([expected, expected, expected]);
    expect(lines).toHaveLength(1);
    expect(told).toEqual([
      [
        './hung.js',
        'svc_scan_finding: gave no result within 50 ms. The callback is not called again until the next start.',
      ],
    ]);
  });
});

describe('Adding a callback', () => {
  const untyped = (name: unknown, callback: unknown, priority?: unknown) => () =>
    hooks.addAction(name as 'svc_scan_complete', callback as () => void, priority as number);

  it('is refused for what the catalogue does not have, or has as the other type', () => {
    expect(untyped('svc_nothing', () => {})).toThrow('there is no action "svc_nothing"');
    expect(untyped('svc_scan_finding', () => {})).toThrow('there is no action "svc_scan_finding"');
    expect(() => hooks.addFilter('svc_scan_complete' as 'svc_scan_finding', (it) => it)).toThrow(
      'there is no filter "svc_scan_complete"',
    );
  });

  it('is refused without a function or with a priority that is no number', () => {
    expect(untyped('svc_scan_complete', 'later')).toThrow('is not a function');
    expect(untyped('svc_scan_complete', () => {}, '5')).toThrow('is not a number');
    expect(untyped('svc_scan_complete', () => {}, Number.NaN)).toThrow('is not a number');
  });
});

describe('The catalogue', () => {
  it('has one entry for each hook, with parameters, and a value for each filter', () => {
    const names = HOOK_CATALOGUE.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, description, parameters, since } of HOOK_CATALOGUE) {
      expect(name).toMatch(/^svc_[a-z_]+$/);
      expect(description).toMatch(/\.$/);
      expect(parameters.length).toBeGreaterThan(0);
      expect(since).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });

  it('says which hooks version 0.1.0 did not have', () => {
    const later = HOOK_CATALOGUE.filter(({ since }) => since !== '0.1.0');
    expect(later.map(({ name, since }) => `${name} ${since}`)).toEqual([
      'svc_scan_regression 0.2.0',
      'svc_dsar_status_changed 0.2.0',
      'svc_settings_changed 0.2.0',
      'svc_data_map_changed 0.2.0',
      'svc_vendor_changed 0.2.0',
      'svc_licence_changed 0.2.0',
      'svc_security_event 0.2.0',
    ]);
  });

  it('is the table in docs/extensions.md', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../../docs/extensions.md'), 'utf8');
    const documented = guide.split('\n').filter((line) => line.startsWith('| `svc_'));
    expect(documented).toEqual(HOOK_CATALOGUE.map(row));
  });
});

function row({ name, type, description, parameters, since }: HookEntry): string {
  const shown = parameters.map((it) => `\`${it.name}\` (${it.type}): ${it.description}`);
  return `| \`${name}\` | ${type} | ${description} | ${shown.join('<br>')} | ${since} |`;
}

function fail(thrown: unknown): never {
  throw thrown;
}
