import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { logAll } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { verifyReceipt as verifyInBrowser } from '../../../../web/receipt-verifier/verify.ts';
import {
  createCosigner,
  createSigner,
  NoteError,
  splitNote,
} from '../../../platform/transparency-log/index.ts';
import { consentRecords } from '../../consent/index.ts';
import { readSettings } from '../../settings/service.ts';
import { appendConsentVersion } from '../../settings/store.ts';
import { openLog, toEntryColumns } from '../index.ts';
import { parseReceipt } from './format.ts';
import { createReceipt } from './service.ts';
import { verifyReceipt } from './verify.ts';

const ROOT = '/wp-json/svc/v1/consent';

describe.each(ENGINES)('GET /consent/receipt on %s', (engine) => {
  const app = useTestApp(engine);
  const visitor = randomUUID();
  let id: number;
  const ask = (query: Record<string, string | number>) =>
    app.http.get(`${ROOT}/receipt?${new URLSearchParams(query as Record<string, string>)}`);
  const choose = async (visitorId: string) => {
    const { version } = (await app.http.get(`${ROOT}/status`)).json;
    const body = {
      visitor_id: visitorId,
      consent_action: 'manage',
      categories_accepted: ['functional', 'analytics'],
      categories_rejected: ['marketing', 'personalisation'],
      config_version: version,
      language: 'de',
      page_url: 'https://example.com/kontakt',
    };
    return (await app.http.post(ROOT, { body })).json.id as number;
  };

  beforeAll(async () => {
    id = await choose(visitor);
  });

  it('asks for patience while the choice is not in the log', async () => {
    const { status, json, headers } = await ask({ visitor_id: visitor });
    expect([status, json.code, headers.get('retry-after')]).toEqual([
      503,
      'receipt_not_ready',
      '2',
    ]);
    await logAll(app);
  });

  it('gives the proof and a page in the language of the banner, which both verifiers accept', async () => {
    const proof = await ask({ visitor_id: visitor, id, format: 'proof' });
    expect(proof.status).toBe(200);
    expect(proof.headers.get('content-disposition')).toContain(`consent-receipt-${id}.tlog-proof`);
    const page = await ask({ visitor_id: visitor });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<html lang="de">');
    expect(page.headers.get('content-security-policy')).toContain('img-src data:');
    expect(page.text).toContain('<link rel="icon" href="data:image/svg+xml,');
    expect(page.text).toContain('Analyse</span>: erlaubt');
    expect(page.text).toContain('Marketing</span>: nicht erlaubt');
    expect((await ask({ visitor_id: visitor, language: 'en' })).text).toContain('<html lang="en">');
    for (const text of [proof.text, page.text]) {
      const verified = verifyReceipt(text, []);
      expect(verified.facts).toMatchObject({
        id,
        categories_accepted: ['functional', 'analytics'],
      });
      expect(verified).toMatchObject({ isKeyKnown: false, witnesses: [] });
      const key = verified.statement['pavis:key'];
      expect(verifyReceipt(text, [key]).isKeyKnown).toBe(true);
      const again = await verifyInBrowser(text, [key]);
      expect(again).toMatchObject({ facts: verified.facts, isKeyKnown: true });
    }
  });

  it('is given for a banner version from before there were rules by country', async () => {
    const { datastore, clock } = app.platform;
    const settings = await readSettings(datastore.db, 'https://www.example.com');
    const { regimes, shared_choices, vendor_choices, ...config } = settings.settings.consent;
    await datastore.transaction((trx) =>
      appendConsentVersion(
        trx,
        { config, asked: { vendors: [], purposes: [] }, askedSince: null } as never,
        clock.now(),
      ),
    );
    const body = {
      visitor_id: randomUUID(),
      consent_action: 'reject_all',
      config_version: settings.version + 1,
    };
    expect((await app.http.post(ROOT, { body })).status).toBe(200);
    await logAll(app);
    const { status, text } = await ask({ visitor_id: body.visitor_id, format: 'proof' });
    expect(status).toBe(200);
    const notice = verifyReceipt(text, []).statement['dpv:hasNotice'];
    expect(notice).toMatchObject({ 'dct:identifier': String(body.config_version) });
    expect(notice).not.toHaveProperty('pavis:optOutDescription');
  });

  it('is not found for another record, another visitor and an id that can be guessed, all alike', async () => {
    const guessable = await choose('visitor-1');
    await logAll(app);
    const answers = await Promise.all([
      ask({ visitor_id: visitor, id: guessable }),
      ask({ visitor_id: randomUUID(), id }),
      ask({ visitor_id: randomUUID() }),
      ask({ visitor_id: 'visitor-1', id: guessable }),
    ]);
    for (const { status, text } of answers) expect([status, text]).toEqual([404, answers[0]?.text]);
  });

  it('answers a visitor who opens the address with a page in their language', async () => {
    const open = async (visitorId: string, language: string) => {
      const path = `${ROOT}/receipt?visitor_id=${visitorId}`;
      const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': language };
      return app.http.get(path, { headers });
    };
    expect((await open(visitor, 'fr')).headers.get('content-disposition')).toContain('.html');
    const missing = await open('visitor-1', 'de-AT,de;q=0.9,en;q=0.8');
    expect([missing.status, missing.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(missing.text).toContain('<link rel="icon" href="data:image/svg+xml,');
    expect(missing.text).toContain('<h1>Zu Ihrer Entscheidung gibt es keinen Beleg</h1>');
    expect(missing.text).toContain('href="?visitor_id=visitor-1"');
    const late = randomUUID();
    await choose(late);
    const early = await open(late, 'fr,en;q=0.5');
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '2']);
    expect(early.text).toContain('<html lang="en">');
    expect(early.text).toContain('Your receipt is not ready yet');
    expect((await ask({ visitor_id: late, format: 'proof' })).json.code).toBe('receipt_not_ready');
  });

  it('is not found once the record is anonymised, and refused if it was altered', async () => {
    const { db } = app.platform.datastore;
    const update = (set: object) =>
      db.updateTable('consent_records').set(set).where('id', '=', id).execute();
    await update({ categories_accepted: '["functional"]' });
    const altered = await ask({ visitor_id: visitor, id });
    expect([altered.status, altered.json.code]).toEqual([409, 'receipt_unavailable']);
    await update({ categories_accepted: '["functional","analytics"]' });
    expect((await ask({ visitor_id: visitor, id })).status).toBe(200);
    await update({ anonymised_at: app.clock.now() });
    expect((await ask({ visitor_id: visitor, id })).status).toBe(404);
    await update({ anonymised_at: null });
  });

  it('shows the texts of the banner in the direction of their language', async () => {
    const headers = await basicAuth(app.platform);
    const settings = '/wp-json/svc/v1/settings';
    const before = (await app.http.get(settings, { headers })).json;
    const title = 'הפרטיות שלך (Pavis).';
    const consent = { languages: ['he'], translations: [], title };
    await app.http.request('PUT', settings, { headers, body: { consent } });
    const reader = randomUUID();
    await choose(reader);
    await logAll(app);
    const { text } = await ask({ visitor_id: reader });
    expect(text).toContain(`<blockquote lang="he" dir="rtl"><p><strong>${title}</strong>`);
    expect(text).toContain('<span lang="he" dir="rtl">');
    expect(text).toContain('<p dir="ltr">http');
    await app.http.request('PUT', settings, { headers, body: { consent: before.consent } });
  });

  it('shows both texts where visitors of some countries are not asked but can object', async () => {
    const headers = await basicAuth(app.platform);
    const save = (mode: string) =>
      app.http.request('PUT', '/wp-json/svc/v1/settings', {
        headers,
        body: { consent: { regimes: { mode } } },
      });
    const read = async () => {
      const reader = randomUUID();
      await choose(reader);
      await logAll(app);
      const { text } = await ask({ visitor_id: reader, language: 'en' });
      return { text, notice: verifyReceipt(text, []).statement['dpv:hasNotice'] };
    };
    const label = 'In countries where visitors are not asked first but can object';
    expect((await read()).text).not.toContain(label);
    const { consent } = (await save('by_country')).json;
    const german = consent.translations.find(
      (each: { language: string }) => each.language === 'de',
    );
    const { text, notice } = await read();
    expect(text).toContain(label);
    expect(notice).toMatchObject({
      'dct:description': german.message,
      'pavis:optOutDescription': german.opt_out_message,
    });
    await save('opt_in_everywhere');
  });

  it('has the texts of the first language for a choice that states none', async () => {
    const headers = await basicAuth(app.platform);
    const settings = '/wp-json/svc/v1/settings';
    const before = (await app.http.get(settings, { headers })).json;
    const translations = [{ language: 'en', title: 'Your privacy in English' }];
    const consent = { languages: ['de'], translations, title: 'Ihre Privatsphäre' };
    await app.http.request('PUT', settings, { headers, body: { consent } });
    const { version } = (await app.http.get(`${ROOT}/status`)).json;
    const reader = randomUUID();
    const body = { visitor_id: reader, consent_action: 'accept_all', config_version: version };
    await app.http.post(ROOT, { body });
    await logAll(app);
    const { text } = await ask({ visitor_id: reader });
    expect(text).toContain('<html lang="de">');
    expect(verifyReceipt(text, []).statement['dpv:hasNotice']).toMatchObject({
      'dct:title': 'Ihre Privatsphäre',
      'dct:language': 'de',
    });
    await app.http.request('PUT', settings, { headers, body: { consent: before.consent } });
  });

  it('says also without a stated version that required categories were not asked for', async () => {
    const reader = randomUUID();
    const body = { visitor_id: reader, consent_action: 'accept_all' };
    await app.http.post(ROOT, { body });
    await logAll(app);
    const { text } = await ask({ visitor_id: reader, language: 'en' });
    expect(text).toContain('functional</span>: always active, not asked');
    const purposes = verifyReceipt(text, []).statement['dpv:hasPurpose'];
    expect(purposes).toContainEqual({
      '@type': 'dpv:Purpose',
      'dct:identifier': 'functional',
      'dpv:hasContext': 'dpv:Required',
    });
  });

  it('is limited per visitor', async () => {
    const other = randomUUID();
    const statuses = [];
    for (let at = 0; at < 31; at++) statuses.push((await ask({ visitor_id: other })).status);
    expect(statuses.indexOf(429)).toBe(30);
  });
});

describe('A receipt', () => {
  const app = useTestApp('sqlite');
  const witness = createCosigner('witness.example/w1', createHash('sha256').update('w').digest());
  let receipt: string;
  let keys: string[];

  beforeAll(async () => {
    const visitorId = randomUUID();
    for (const visitor_id of ['v-1', visitorId, 'v-2', 'v-3', 'v-4'])
      await app.http.post(ROOT, { body: { visitor_id, consent_action: 'accept_all' } });
    await logAll(app);
    const log = openLog(app.platform, app.config);
    const { proof } = await createReceipt(
      app.platform,
      {
        log,
        columns: toEntryColumns(consentRecords),
        siteUrl: () => 'https://example.com',
        readController: async () => ({ name: 'Muster GmbH', address: '', email: '' }),
        findNotice: async () => undefined,
        listRequiredAt: async () => [],
      },
      { visitorId, id: undefined },
    );
    await log.close();
    const { proof: parsed, statement } = parseReceipt(proof);
    const line = witness.cosign(splitNote(parsed.checkpoint).text, 1_800_000_000);
    receipt = proof + line;
    keys = [statement['pavis:key'], witness.verifierKey];
  });

  it('has the signatures of witnesses whose keys are given', async () => {
    const seen = { name: 'witness.example/w1', at: '2027-01-15T08:00:00.000Z' };
    expect(verifyReceipt(receipt, keys).witnesses).toEqual([seen]);
    const { witnesses } = await verifyInBrowser(receipt, keys);
    expect(witnesses).toEqual([{ name: seen.name, time: 1_800_000_000 }]);
  });

  it('is read with the line ends of Windows, alone and in a page', async () => {
    for (const text of [receipt, `<!doctype html>\n<pre id="proof">${receipt}</pre>\n`]) {
      const copied = text.replaceAll('\n', '\r\n');
      expect(verifyReceipt(copied, keys)).toEqual(verifyReceipt(text, keys));
      expect(await verifyInBrowser(copied, keys)).toEqual(await verifyInBrowser(text, keys));
    }
    expect(() => verifyReceipt(receipt.replaceAll('\n', '\r'), keys)).toThrow(NoteError);
  });

  it('is read with other line ends at its end, and with a byte order mark', async () => {
    const page = (text: string) => `<!doctype html>\n<pre id="proof">${text}</pre>\n`;
    for (const edit of [
      (text: string) => text.trimEnd(),
      (text: string) => `${text}\n`,
      (text: string) => `\ufeff${text}`,
    ]) {
      const edited = edit(receipt);
      for (const [text, as] of [
        [edited, receipt],
        [page(edited), page(receipt)],
      ] as const) {
        expect(verifyReceipt(text, keys)).toEqual(verifyReceipt(as, keys));
        expect(await verifyInBrowser(text, keys)).toEqual(await verifyInBrowser(as, keys));
      }
    }
  });

  it('is refused with a cosignature from a time that no clock has', async () => {
    const { proof } = parseReceipt(receipt);
    const { text } = splitNote(proof.checkpoint);
    const [before] = receipt.split('\u2014 witness.example');
    const late = before + witness.cosign(text, Date.now() * 1_000);
    expect(() => verifyReceipt(late, keys)).toThrow(NoteError);
    await expect(verifyInBrowser(late, keys)).rejects.toMatchObject({ fault: 'checkpoint' });
  });

  it('is refused with any byte changed, by the command and by the page', async () => {
    const bytes = Buffer.from(receipt);
    const isRight = ({ isKeyKnown, witnesses }: { isKeyKnown: boolean; witnesses: unknown[] }) =>
      isKeyKnown && witnesses.length === 1;
    await fc.assert(
      fc.asyncProperty(
        // The last is the line end, which may be missing.
        fc.nat(bytes.length - 2),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const changed = Buffer.from(bytes);
          changed[at] = (changed[at] ?? 0) ^ by;
          const text = changed.toString();
          let byCommand = false;
          try {
            byCommand = isRight(verifyReceipt(text, keys));
          } catch (error) {
            expect(error).toBeInstanceOf(NoteError);
          }
          const inBrowser = await verifyInBrowser(text, keys).then(isRight, (error) => {
            expect(error.name).toBe('Error');
            expect(error.fault).toEqual(expect.any(String));
            return false;
          });
          // The signature of a witness whose name was changed is that of an unknown one, so it does not count.
          expect([byCommand, inBrowser]).toEqual([false, false]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is refused with the key of another log', async () => {
    const other = createCosigner('x', Buffer.alloc(32)).verifierKey;
    expect(() => verifyReceipt(receipt, ['example.com/other+00000000+AA=='])).toThrow(NoteError);
    expect(verifyReceipt(receipt, [other]).isKeyKnown).toBe(false);
    const foreign = createSigner('www.example.com/pavis-consent', Buffer.alloc(32)).verifierKey;
    expect(() => verifyReceipt(receipt, [foreign])).toThrow('another key');
    await expect(verifyInBrowser(receipt, [foreign])).rejects.toMatchObject({ fault: 'other_key' });
  });
});
