import { describe, expect, it } from 'vitest';
import { HtmlThread } from './html-thread.ts';

const PAGE = { pageUrl: 'https://site.example/', setCookies: [], headers: {} };
const LONG = `${'<p>a'.repeat(200_000)}<form action="/send"><input type="email"></form>
  <a href="/last">last</a>`;

describe('A long document', () => {
  it('does not block other requests', async () => {
    const thread = new HtmlThread(60_000);
    const startedAt = performance.now();
    // Of this thread alone, so it does not matter what else the machine has to do.
    const before = process.threadCpuUsage();
    const read = Promise.all([
      thread.observe(LONG, PAGE),
      thread.links(LONG, 'https://site.example/'),
    ]);
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const [observations, links] = await read;
    clearInterval(timer);
    const { user, system } = process.threadCpuUsage(before);
    // Parsing here would take all of the time.
    expect((user + system) / 1_000).toBeLessThan((performance.now() - startedAt) / 10);
    expect(turns).toBeGreaterThan(10);
    expect(observations).toMatchObject([{ kind: 'form', personalFields: ['email'] }]);
    expect(links).toEqual(['https://site.example/last']);
  });

  it('is cancelled after the time limit without affecting others', async () => {
    const thread = new HtmlThread(3_000);
    const huge = LONG.repeat(50);
    const [observations, links] = await Promise.all([
      thread.observe(huge, PAGE),
      thread.links('<a href="/other">other</a>', 'https://site.example/'),
    ]);
    expect(observations).toBeUndefined();
    expect(links).toEqual(['https://site.example/other']);
  });

  it('does not affect others when it crashes the thread', async () => {
    const thread = new HtmlThread();
    const [broken, links] = await Promise.all([
      thread.observe('<script src="/a.js"></script>', {
        ...PAGE,
        // What cannot be read is an error there.
        setCookies: null as unknown as [],
      }),
      thread.links('<a href="/other">other</a>', 'https://site.example/'),
    ]);
    expect(broken).toBeUndefined();
    expect(links).toEqual(['https://site.example/other']);
  });
});
