import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/platform/durations.ts';
import { changeCase, findCaseByReference } from '../../src/privacy/dsar/index.ts';
import { createDsarClient, tokenIn } from '../support/dsar.ts';
import { ENGINES } from '../support/engines.ts';
import { attribute, getText, plainBrowser } from '../support/plain-browser.ts';
import { useTestApp } from '../support/test-app.ts';

const REFERENCE = /DSR-\d{8}-[A-Z0-9]{6}/;

describe.each(ENGINES)('the privacy request pages on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const visitor = () => plainBrowser(() => app.url, { 'accept-language': 'en-GB,en;q=0.8' });
  const caseOf = (reference: string) => findCaseByReference(app.platform.datastore.db, reference);

  /** Submits a request and returns its reference. */
  async function send(email: string, more: Record<string, string> = {}) {
    const browser = visitor();
    const form = await browser.open('/privacy/');
    const typed = { request_type: 'access', email, ...more };
    const page = await browser.submit(form, 'request', typed);
    expect(page.status, page.text).toBe(200);
    return { browser, page, reference: REFERENCE.exec(page.text)?.[0] ?? '' };
  }

  it('accept a request and show its status, without scripts and cookies', async () => {
    const { browser, page, reference } = await send('ada@example.com', {
      first_name: 'Ada',
      additional_info: 'Customer 17.\r\nSince 2020.',
    });
    expect(page.title).toContain('We have received your request');
    expect(page.text).toContain('21 December 2026');
    expect(await caseOf(reference)).toMatchObject({
      requestType: 'access',
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: null,
      additionalInfo: 'Customer 17.\nSince 2020.',
      deadline: '2026-12-21',
      language: 'en',
      status: 'received',
    });

    const status = await browser.open(page.link('Check the status of'));
    const shown = await browser.submit(status, 'status', { reference, email: 'ADA@example.com' });
    expect(shown.status).toBe(200);
    for (const part of [
      reference,
      'Received',
      'Get a copy of my data',
      '21 November 2026',
      'Confirm',
    ]) {
      expect(shown.text).toContain(part);
    }
    expect(browser.cookies.size).toBe(0);
  });

  it('show a reloaded request once only, and no made-up page', async () => {
    const { browser, page, reference } = await send('again@example.com');
    const before = (await caseOf(reference))?.id ?? 0;
    expect((await browser.open(page.url)).text).toContain(reference);
    const { reference: next } = await send('after@example.com');
    expect((await caseOf(next))?.id).toBe(before + 1);
    const forged = page.url.replace(reference, 'DSR-20261121-AAAAAA');
    expect((await browser.open(forged)).status).toBe(404);
    expect((await browser.open(page.url.replace('2026-12-21', '2099-12-31'))).status).toBe(404);
  });

  it('send no-store, load nothing, run no script and deny framing', async () => {
    const { headers, all, html } = await visitor().open('/privacy/');
    expect(headers.get('cache-control')).toBe('no-store, private');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(all(({ tagName }) => ['script', 'img', 'iframe'].includes(tagName))).toEqual([]);
    const links = all(({ tagName }) => tagName === 'link').map((each) => attribute(each, 'href'));
    expect(links).toEqual([expect.stringMatching(/^data:image\/svg\+xml,/)]);
    expect(html).not.toMatch(/style="|\son\w+="/);
  });

  it('state the controller, purpose, legal basis and storage period (GDPR Art. 13)', async () => {
    const blank = await visitor().open('/privacy/');
    expect(blank.text).not.toContain('Controller');
    expect(blank.text).toContain('Art. 6(1)(c)');
    expect(blank.text).toContain('anonymised 24 months after it is closed');
    expect(blank.text).toContain('lodge a complaint with a data protection supervisory authority');
    const controller = {
      name: 'Example <Ltd>',
      address: '1 High Street\nLondon',
      email: 'privacy@example.com',
      dpo_name: 'Ada Lovelace',
      dpo_email: 'dpo@example.com',
    };
    await dsarClient.admin('PUT', '/settings', { controller });
    const { text } = await visitor().open('/privacy/');
    for (const stated of ['Controller', 'Data protection officer', ...Object.values(controller)]) {
      expect(text.replace(/\s+/g, ' ')).toContain(stated.replace('\n', ' '));
    }
    const german = await visitor().open('/privacy/?lang=de');
    expect(german.text).toContain('24 Monate nach seinem Abschluss');
    const none = { name: '', address: '', email: '', dpo_name: '', dpo_email: '' };
    await dsarClient.admin('PUT', '/settings', { controller: none });
  });

  it('show errors beside and above the fields, keep the input, and store nothing', async () => {
    const browser = visitor();
    const typed = {
      email: 'not an address',
      first_name: '<b>"Ada"</b>',
      last_name: 'x'.repeat(101),
      additional_info: '\n  keep\n\n</textarea>',
    };
    const form = await browser.open('/privacy/');
    const page = await browser.submit(form, 'request', typed);
    expect(page.status).toBe(422);
    expect(page.title).toContain('There is a problem');
    const { first_name, last_name, email, additional_info, request_type } = page.fields('request');
    expect({ first_name, last_name, email }).toEqual({
      first_name: typed.first_name,
      last_name: typed.last_name,
      email: typed.email,
    });
    expect(additional_info?.trim()).toBe('keep\n\n</textarea>');
    expect(request_type).toBeUndefined();

    const [summary] = page.all((each) => attribute(each, 'role') === 'alert');
    if (!summary) throw new Error('no summary');
    expect(attribute(summary, 'autofocus')).toBe('');
    expect(attribute(summary, 'tabindex')).toBe('-1');
    const links = page.all((each) => (attribute(each, 'href') ?? '').startsWith('#'));
    const ids = new Set(page.all(() => true).map((each) => attribute(each, 'id')));
    for (const link of links) expect(ids).toContain(attribute(link, 'href')?.slice(1));
    expect(getText(summary)).toMatch(/Select what you want to do.*100 characters.*name@example/s);
    const invalid = page.all((each) => attribute(each, 'aria-invalid') === 'true');
    expect(invalid.map((each) => attribute(each, 'name'))).toEqual(['email', 'last_name']);
    for (const each of invalid) {
      for (const id of (attribute(each, 'aria-describedby') ?? '').split(' ')) {
        expect(ids).toContain(id);
      }
    }
    const fixed = {
      ...typed,
      email: 'fixed@example.com',
      last_name: 'L',
      request_type: 'deletion',
    };
    const sent = await browser.submit(page, 'request', fixed);
    expect(sent.title).toContain('We have received your request');
  });

  it('treat a filled hidden field as a bot, and let a person continue', async () => {
    const browser = visitor();
    const form = await browser.open('/privacy/');
    expect(form.fields('request')).toHaveProperty('pv_hp_check', '');
    const typed = { request_type: 'access', email: 'bot@example.com', pv_hp_check: 'buy' };
    const page = await browser.submit(form, 'request', typed);
    expect(page.status).toBe(400);
    expect(page.text).toContain('A hidden field was filled in');
    expect(page.fields('request')).toMatchObject({ email: 'bot@example.com', pv_hp_check: '' });
    expect((await browser.submit(page, 'request')).title).toContain(
      'We have received your request',
    );
  });

  it('respond the same to every mismatch of reference and email address', async () => {
    const { browser, reference } = await send('mine@example.com');
    const form = await browser.open('/privacy/status');
    const answers = [];
    for (const typed of [
      { reference, email: 'theirs@example.com' },
      { reference: 'DSR-20261121-ZZZZZZ', email: 'mine@example.com' },
      { reference: 'nonsense', email: 'mine@example.com' },
      { reference: '', email: '' },
      { reference, email: 'nonsense' },
    ]) {
      const { status, text, html } = await browser.submit(form, 'status', typed);
      const said = html.replaceAll(`value="${typed.reference}"`, '');
      answers.push([status, text, said.replaceAll(`value="${typed.email}"`, '')]);
    }
    expect(answers[0]?.[0]).toBe(404);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('confirm an email address by the button and not by opening the link, once', async () => {
    const { browser, reference } = await send('confirm@example.com');
    const mail = (await dsarClient.mails()).find(({ to }) => to === 'confirm@example.com');
    const url = `/privacy/confirm?token=${tokenIn(mail ?? { text: '' })}`;
    for (let looked = 0; looked < 2; looked++) {
      expect((await browser.open(url)).status).toBe(200);
    }
    expect(await caseOf(reference)).toMatchObject({ verifiedAt: null, status: 'received' });
    const page = await browser.open(url);
    const done = await browser.submit(page, 'confirm');
    expect(done.title).toContain('Your email address is confirmed');
    expect(done.text).toContain(reference);
    expect(await caseOf(reference)).toMatchObject({ status: 'in_progress' });
    const again = await browser.submit(page, 'confirm');
    expect([again.status, again.text]).toEqual([404, expect.stringContaining('was used')]);
    expect((await browser.open(url)).text).toContain('no longer works');
    const none = await browser.open('/privacy/confirm?token=nothing&token=twice');
    expect([none.status, none.title]).toEqual([404, again.title]);
    expect(app.logged()).not.toContain(tokenIn(mail ?? { text: '' }));
  });

  it('reject a link after seven days', async () => {
    const { browser } = await send('late@example.com');
    const mail = (await dsarClient.mails()).find(({ to }) => to === 'late@example.com');
    const url = `/privacy/confirm?token=${tokenIn(mail ?? { text: '' })}`;
    const page = await browser.open(url);
    app.clock.advance(7 * 86_400_000);
    expect((await browser.submit(page, 'confirm')).status).toBe(404);
    expect((await browser.open(url)).text).toContain('seven days');
    app.clock.advance(-7 * 86_400_000);
  });

  it('hand out a package once, by the button', async () => {
    const { browser, reference } = await send('package@example.com');
    const found = await caseOf(reference);
    const dsar = dsarClient.dsar();
    const id = found?.id ?? 0;
    await changeCase(dsar, id, { status: 'in_progress' }, 'admin');
    await dsarClient.work();
    await changeCase(dsar, id, { status: 'completed', reason: 'done' }, 'admin');
    const mails = await dsarClient.mails();
    const mail = mails.find(
      ({ to, text }) => to === 'package@example.com' && /download/.test(text),
    );
    const url = `/privacy/download?token=${tokenIn(mail ?? { text: '' })}`;
    const page = await browser.open(url);
    expect(page.text).toContain('Your data is ready');
    await browser.open(url);
    const file = await browser.submit(page, 'download');
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('application/zip');
    expect(file.headers.get('content-disposition')).toContain(`${reference}.zip`);
    expect(file.html.slice(0, 2)).toBe('PK');
    const again = await browser.submit(page, 'download');
    expect([again.status, again.text]).toEqual([404, expect.stringContaining('a new link')]);
    const status = await browser.open('/privacy/status');
    const shown = await browser.submit(status, 'status', {
      reference,
      email: 'package@example.com',
    });
    expect(shown.text).toContain('Completed');
  });

  it('speak German by browser setting or by the language switch, and keep the choice', async () => {
    const german = plainBrowser(() => app.url, { 'accept-language': 'fr;q=0.9, de-AT' });
    const first = await german.open('/privacy/');
    expect(first.html).toContain('<html lang="de" dir="ltr">');
    expect(first.text).toContain('Datenschutzantrag stellen');
    const english = await german.open(first.link('English'));
    expect(english.html).toContain('<html lang="en" dir="ltr">');
    const page = await german.submit(english, 'request', {
      request_type: 'objection',
      email: 'switch@example.com',
    });
    expect(page.title).toContain('We have received your request');
    const reference = REFERENCE.exec(page.text)?.[0] ?? '';
    expect((await caseOf(reference))?.language).toBe('en');
    expect((await german.open(page.link('Deutsch'))).text).toContain(
      'Wir haben Ihren Antrag erhalten',
    );
    const wrong = await german.submit(first, 'request', { email: 'x' });
    expect(wrong.text).toContain('Bitte prüfen Sie Ihre Angaben');
  });

  it('are also at /privacy, and have a page for unknown addresses', async () => {
    const browser = visitor();
    expect((await browser.open('/privacy')).url).toBe(`${app.url}/privacy/`);
    const nothing = await browser.open('/privacy/nothing');
    expect([nothing.status, nothing.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(nothing.text).toContain('Page not found');
  });

  it.each([
    ['application/json', '{"email":"a@example.com"}', 415],
    ['application/x-www-form-urlencoded', 'x'.repeat(300_000), 413],
    ['application/x-www-form-urlencoded', Buffer.from([0x61, 0x3d, 0xff]), 400],
    ['application/x-www-form-urlencoded', 'email=%00%FF%ED%A0%80&request_type[]=x', 422],
    ['application/x-www-form-urlencoded', '', 422],
    ['multipart/form-data; boundary=x', '--x--', 415],
  ])('respond to a body of type %s with a page', async (type, body, status) => {
    const answer = await app.http.post('/privacy/request', {
      headers: { 'content-type': type },
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('say that no requests are accepted, and still show the status of a request', async () => {
    const { browser, reference } = await send('before@example.com');
    const form = await browser.open('/privacy/');
    const headers = await dsarClient.headers();
    const settle = (enabled: boolean) =>
      app.http.request('PUT', '/wp-json/svc/v1/settings', {
        headers,
        body: { dsar: { enabled }, mail: { reply_to: 'privacy@example.com' } },
      });
    expect((await settle(false)).status).toBe(200);
    const closed = await browser.open('/privacy/');
    expect(closed.text).toContain('You cannot send a request here');
    expect(closed.text).toContain('privacy@example.com');
    const refused = await browser.submit(form, 'request', {
      request_type: 'access',
      email: 'refused@example.com',
    });
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining('You cannot send a request here'),
    ]);
    const status = await browser.open('/privacy/status');
    const shown = await browser.submit(status, 'status', {
      reference,
      email: 'before@example.com',
    });
    expect(shown.status).toBe(200);
    await settle(true);
  });
});

describe('the privacy request pages under a rate limit', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_DSAR: '2' });

  it('ask to try again after a minute, keep the input, and share the limit of the API', async () => {
    const browser = plainBrowser(() => app.url);
    const dsarClient = createDsarClient(app);
    await dsarClient.request();
    const form = await browser.open('/privacy/');
    const typed = { request_type: 'access', email: 'limit@example.com', additional_info: 'mine' };
    expect((await browser.submit(form, 'request', typed)).status).toBe(200);
    const page = await browser.submit(form, 'request', typed);
    expect(page.status).toBe(429);
    expect(page.text).toContain('Wait one minute');
    expect(page.fields('request')).toMatchObject(typed);
    app.clock.advance(61_000);
    expect((await browser.submit(page, 'request')).title).toContain(
      'We have received your request',
    );
  });
});

describe('the page after a request, opened again after its deadline', () => {
  const app = useTestApp('sqlite');

  it('promises nothing any more, and leads to the status', async () => {
    const browser = plainBrowser(() => app.url, { 'accept-language': 'en' });
    const form = await browser.open('/privacy/');
    const typed = { request_type: 'access', email: 'late@example.com' };
    const sent = await browser.submit(form, 'request', typed);
    app.clock.advance(30 * DAY_MS);
    expect((await browser.open(sent.url)).text).toContain('We reply by 21 December 2026.');
    app.clock.advance(DAY_MS);
    const later = await browser.open(sent.url);
    expect(later.text).toContain(REFERENCE.exec(sent.text)?.[0]);
    expect(later.text).not.toMatch(/We reply by|What happens next/);
    expect(later.link('Check the status of')).toBeTruthy();
  });
});

describe('a process without the plugin API', () => {
  const app = useTestApp('sqlite', { PAVIS_SERVICES: 'licence' });

  it('has no privacy request pages', async () => {
    expect((await app.http.get('/privacy/')).status).toBe(404);
  });
});
