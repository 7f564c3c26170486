import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { linkBrowser } from '../support/browser.ts';
import { fixtureSite } from '../support/fixture-site.ts';
import { dataFolder, pavis, pavisJson, spawnPavis, startServer } from '../support/process.ts';
import { unzip } from '../support/unzip.ts';

const site = await fixtureSite();
const folder = dataFolder();
afterAll(() => {
  site.close();
  folder.remove();
});
/** Its banner loads a tracker on rejection, and nothing else. */
const BROKEN_PROMISE = `<!doctype html><html lang="en"><title>Shop</title><body>
  <h1>Shop</h1>
  <div id="banner" role="dialog" aria-label="Cookies" style="position:fixed;bottom:0;left:0;right:0;padding:40px;background:#eee">
    <p>We use cookies to measure how our site is used.</p>
    <button id="accept">Accept all</button> <button id="reject">Reject all</button>
  </div>
  <script>
    const banner = document.getElementById('banner');
    if (localStorage.getItem('consent')) banner.remove();
    const choose = (choice) => { localStorage.setItem('consent', choice); banner.remove(); };
    document.getElementById('accept').onclick = () => choose('all');
    document.getElementById('reject').onclick = () => {
      choose('none');
      document.body.append(Object.assign(document.createElement('script'), {
        src: 'https://static.hotjar.com/c/hotjar-1.js',
      }));
    };
  </script></body></html>`;
const env = { PAVIS_DATA_DIR: folder.path, PAVIS_CHROMIUM: 'off' };

describe('pavis scan', () => {
  it('scans a site, prints types and vendors, and stores the scan', async () => {
    const { code, stdout, stderr } = await pavis(['scan', `${site.url}/`, '--depth', '2'], env);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`of ${site.url} with html: 4 pages, 10 findings.`);
    expect(stdout).toMatch(/^The pages were scanned without a browser\. /m);
    expect(stdout).toMatch(/^script +4 +2$/m);
    expect(stdout).toMatch(/^Open findings \(need a decision\): 5$/m);
    expect(stdout).toMatch(/^YouTube +marketing +1 +1 +no$/m);
    expect(stdout).toMatch(/^cdn\.nobody-known\.example +unrecognised +1 +1$/m);
    const next = await pavisJson(['scan', '--depth', '0'], { ...env, PAVIS_SITE_URL: site.url });
    expect(next).toMatchObject({
      scan_id: 2,
      status: 'completed',
      site_url: site.url,
      pages: 1,
      findings: 7,
      failed_pages: [],
    });
    expect(next.vendors.map(({ slug }: { slug: string }) => slug)).toContain('facebook-pixel');
  });

  it('counts a resource that is on several pages once, as the console does', async () => {
    const pixel = '<img src="https://www.facebook.com/tr?id=1" width="1" height="1">';
    const send = (response: ServerResponse) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<a href="/about">About</a>${pixel}`);
    const restore = ['/', '/about'].map((path) => site.replace(path, send));
    const { stdout, stderr } = await pavis(['scan', site.url, '--fail-on', 'before-consent'], env);
    for (const each of restore) each();
    expect(stdout).toContain('2 pages, 1 finding (2 counted on each page).');
    expect(stdout).toMatch(/^pixel +1 +1$/m);
    expect(stdout).toMatch(/^Open findings \(need a decision\): 1$/m);
    expect(stdout).toMatch(/^Meta Pixel \(Facebook\) +marketing +1 +1 +no$/m);
    expect(stderr).toMatch(/^pavis: 1 of 1 findings load before consent/);
    const listed = await pavis(['scan', 'list', '--limit', '1'], env);
    expect(listed.stdout).toMatch(/2 of 2 +0 +1 +request/);
  });

  it('names the pages that it could not load', async () => {
    const restore = site.replace('/about', (response) => response.destroy());
    const { failed_pages, pages } = await pavisJson(['scan', site.url], env);
    restore();
    expect(pages).toBe(2);
    expect(failed_pages).toEqual([
      { url: `${site.url}/about`, http_status: null, error: expect.any(String) },
    ]);
  });

  it('exits with 1 if undecided resources that need consent load before it', async () => {
    const fail = (path: string) =>
      pavis(['scan', site.url + path, '--depth', '0', '--fail-on', 'before-consent'], env);
    const { code, stdout, stderr } = await fail('/');
    expect(code).toBe(1);
    expect(stdout).toContain('7 findings');
    expect(stderr).toMatch(/^pavis: 4 of 7 findings load before consent and need a decision/);
    expect((await fail('/deep')).code).toBe(0);
  });

  it('exits with 1 if no page reached the rejection, and writes that as JUnit XML', async () => {
    const file = join(folder.path, 'report.xml');
    const args = ['--depth', '0', '--states', 'before,rejected', '--fail-on'];
    const { code, stdout, stderr } = await pavis(
      ['scan', site.url, ...args, 'broken-promise', '--junit', file],
      env,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('7 findings');
    expect(stderr).toMatch(
      /^pavis: no page reached the state rejected: the scan had no browser\. Install a browser/,
    );
    const xml = readFileSync(file, 'utf8');
    expect(xml).toContain(' tests="8" failures="1" errors="0" ');
    expect(xml).toContain('<testcase classname="pavis.state" name="rejected" time="0"><failure ');
    expect(xml).toContain('name="Google Tag Manager https://www.googletagmanager.com/gtm.js?id=');
    const early = await pavis(['scan', site.url, ...args, 'before-consent', '--junit', file], env);
    expect(early.stderr).toMatch(/^pavis: 4 of 7 findings load before consent/);
    const report = readFileSync(file, 'utf8');
    expect(report).toContain(' tests="8" failures="4" errors="0" ');
    expect(report.match(/<failure message="It loads before consent/g)).toHaveLength(4);
  });

  it('prints JSON or JUnit XML alone, and still exits with 1', async () => {
    const args = ['scan', site.url, '--depth', '0', '--fail-on', 'before-consent', '--format'];
    const junit = await pavis([...args, 'junit'], env);
    expect([junit.code, junit.stdout.slice(0, 5), junit.stdout.trim().slice(-13)]).toEqual([
      1,
      '<?xml',
      '</testsuites>',
    ]);
    expect(junit.stderr).toMatch(/^pavis: 4 of 7 findings load before consent/);
    const json = await pavis([...args, 'json'], env);
    expect([json.code, JSON.parse(json.stdout).findings]).toEqual([1, 7]);
  });

  it('visits pages in the states of the settings, unless others are named', async () => {
    const args = ['scan', site.url, '--depth', '0'];
    expect((await pavisJson(args, env)).states).toEqual(['before', 'accepted']);
    const database = new DatabaseSync(join(folder.path, 'pavis.db'));
    const insert = database.prepare("insert into settings (section, fields) values ('scanner', ?)");
    try {
      insert.run(JSON.stringify({ states: ['before', 'gpc'] }));
      expect((await pavisJson(args, env)).states).toEqual(['before', 'gpc']);
      const named = await pavisJson([...args, '--states', 'before'], env);
      expect(named.states).toEqual(['before']);
    } finally {
      database.exec("delete from settings where section = 'scanner'");
      database.close();
    }
  });

  it('exits with 1 if a resource is at work after rejection, which a browser sees', async () => {
    linkBrowser(folder.path);
    const restore = site.replace('/', BROKEN_PROMISE);
    const { code, stdout, stderr } = await pavis(
      ['scan', site.url, '--depth', '0', '--states', 'all', '--fail-on', 'broken-promise'],
      { PAVIS_DATA_DIR: folder.path },
    );
    restore();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^pavis: 1 of \d+ findings break a promise: 1 are at work after rejection, 0 after withdrawal/,
      ),
    ]);
    expect(stdout).toMatch(/^loaded despite rejection +1$/m);
    expect(stdout).toMatch(/^Hotjar +https:\S+ +yes +1$/m);
    expect(stdout).toContain('Not reached: withdrawn (no way to withdraw on 1 page).');
  });

  it('exits with 1 and the reason if no page could be scanned', async () => {
    const unavailable = (response: ServerResponse) =>
      void response.writeHead(503).end('<a href="/about">About</a>');
    const restore = ['/', '/about'].map((path) => site.replace(path, unavailable));
    for (const args of [['--fail-on', 'before-consent'], []]) {
      const { code, stdout, stderr } = await pavis(['scan', site.url, ...args, '--json'], env);
      const results = JSON.parse(stdout);
      expect([code, results.pages, results.pages_failed]).toEqual([1, 0, 2]);
      expect(results.failed_pages[0]).toMatchObject({ http_status: 503 });
      expect(stderr).toMatch(/^pavis: no page of .* could be scanned.*answered 503/);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    for (const back of restore) back();
  });

  it('prints the results of the API with --json', async () => {
    const { http, stop } = await startServer({ ...env, PAVIS_SITE_URL: site.url });
    const printed = await pavisJson(['scan', site.url], env);
    const { login, password } = await pavisJson(
      ['user', 'create', 'reader', '--email', 'r@example.com', '--role', 'administrator'],
      env,
    ).then(() => pavisJson(['user', 'app-password', 'reader', '--name', 'test'], env));
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    const path = `/wp-json/svc/v1/scanner/results/${printed.scan_id}`;
    const { json } = await http.get(path, { headers: { authorization } });
    await stop();
    expect(printed).toEqual(json);
    expect(printed.results).toHaveLength(printed.total);
    expect(printed.urls).toHaveLength(3);
  });

  it('scans pages that robots.txt disallows with --ignore-robots', async () => {
    const restore = site.replace('/robots.txt', 'User-agent: *\nDisallow: /');
    const { stdout } = await pavis(['scan', site.url], env);
    expect(stdout).toMatch(/^robots\.txt excludes 2 pages of the site from this scan\. /m);
    const ignoring = await pavisJson(['scan', site.url, '--ignore-robots'], env);
    restore();
    expect([ignoring.pages, ignoring.notice]).toEqual([3, null]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'is cancelled by %s, keeps its findings and exits with %i',
    async (signal, exit) => {
      const asked = Promise.withResolvers<void>();
      const restore = site.replace('/about', () => asked.resolve());
      const child = spawnPavis(['scan', site.url, '--json'], env);
      await asked.promise;
      await expect
        .poll(async () => (await pavisJson(['scan', 'list', '--limit', '1'], env)).scans[0].pages)
        .toBe(2);
      child.process.kill(signal);
      const { code, stdout, stderr } = await child.finished;
      restore();
      const results = JSON.parse(stdout);
      expect([code, results.status, results.pages, results.pages_planned]).toEqual([
        exit,
        'cancelled',
        2,
        3,
      ]);
      expect(results.results.length).toBeGreaterThan(0);
      expect(stderr).toMatch(
        /^pavis: scan \d+ was cancelled after 2 pages; its findings are kept\n$/,
      );
    },
    30_000,
  );

  it('exits with 1 if another process has marked it as interrupted, whatever was found', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const restore = site.replace('/contact', (response) => asked.resolve(response));
    const child = spawnPavis(['scan', site.url], env);
    const response = await asked.promise;
    const database = new DatabaseSync(join(folder.path, 'pavis.db'));
    database.exec("update scans set status = 'interrupted' where status = 'started'");
    database.close();
    response.end('<p>Late.</p>');
    const { code, stderr } = await child.finished;
    restore();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^pavis: scan \d+ was interrupted after \d pages; its findings are kept\n$/,
    );
  });

  it('writes the evidence pack of a scan, and prints what visitors may know of the latest one', async () => {
    const file = join(folder.path, 'pack.zip');
    const { sha256, bytes } = await pavisJson(['scan', 'evidence', '1', '--out', file], env);
    const archive = readFileSync(file);
    expect([archive.length, createHash('sha256').update(archive).digest('hex')]).toEqual([
      bytes,
      sha256,
    ]);
    expect([...unzip(archive).keys()]).toContain('report.html');
    const args = ['declaration', '--language', 'de'];
    const { stdout } = await pavis(args, { ...env, PAVIS_SITE_URL: site.url });
    expect(stdout).toMatch(/^Cookies und Drittanbieter$/m);
    expect(stdout).toMatch(/^ {2}_ga +Cookie +127\.0\.0\.1 +1 Jahr \(typisch: 2 Jahre\)$/m);
  });

  it('lists, cancels and deletes scans', async () => {
    const { scans, total } = await pavisJson(['scan', 'list'], env);
    expect(scans).toHaveLength(total);
    const { scan_id } = scans.find(({ status }: { status: string }) => status === 'completed');
    const refused = await pavis(['scan', 'cancel', String(scan_id)], env);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'pavis: The scan is completed. Start a new scan.\n',
    ]);
    const deleted = await pavisJson(['scan', 'delete', String(scan_id)], env);
    expect(deleted).toMatchObject({ deleted: true, previous: { scan_id } });
    expect((await pavisJson(['scan', 'list'], env)).total).toBe(total - 1);
    expect((await pavis(['scan', 'delete', String(scan_id)], env)).code).toBe(1);
    expect((await pavis(['scan', 'list'], env)).stdout).toMatch(/^id +started +status +site/);
  });

  it.each([
    [2, ['ftp://example.com'], /http or https/],
    [2, ['https://user:hush@example.com'], /http or https/],
    [2, ['--depth', '6'], /0 to 5/],
    [2, ['--format', 'xml'], /Allowed choices are text, json, junit/],
    [2, ['--json', '--format', 'junit'], /exclude each other/],
    [2, ['--fail-on', 'tears'], /one or more of: before-consent, broken-promise/],
    [2, ['--states', 'sad'], /one or more of: before, rejected, accepted, withdrawn, gpc/],
    [2, ['--fail-on', 'broken-promise'], /requires the state rejected: add --states all/],
    [1, ['http://127.0.0.1:9'], /cannot be reached/],
  ])('exits with %s for %j and prints the reason in one line', async (exit, args, says) => {
    const { code, stdout, stderr } = await pavis(['scan', ...args], env);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(says);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
