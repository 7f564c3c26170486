import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase, ENGINES } from '../support/engines.ts';
import { dataFolder, pavisJson, startedLater, startServer } from '../support/process.ts';
import { bought, createSignature, stripeEvent, WEBHOOK_SECRET } from '../support/stripe.ts';

const PURCHASES = 40;
const KILLED_AFTER_MS = [15, 60, 150];
/** The lease of emails by a killed server. */
const LEASE_MS = 20_000;

describe.each(ENGINES)(
  'a server on %s that is killed while it receives payment events',
  (engine) => {
    const folder = dataFolder();
    afterAll(() => folder.remove());

    it('has one licence and one email for each after they are sent again, and no key in its files or logs', async () => {
      const database = await createDatabase(engine);
      const env = {
        PAVIS_DATA_DIR: folder.path,
        PAVIS_DATABASE_URL: database.url,
        PAVIS_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        PAVIS_RATE_LIMIT_CHECKOUT: 'off',
      };
      const purchases = Array.from({ length: PURCHASES }, (_, n) => bought(`${engine}_${n}`));
      const first = await startServer(env);
      const payloads: string[] = [];
      for (const { session } of purchases) {
        const { id } = (await first.http.post('/checkout/session', { body: {} })).json;
        payloads.push(stripeEvent('checkout.session.completed', Date.now(), session({ id })));
      }
      await first.stop();
      let log = '';
      const tellAll = (url: string) =>
        Promise.allSettled(
          payloads.map(async (body) => {
            const headers = { 'stripe-signature': createSignature(body, Date.now()) };
            return (await fetch(`${url}/webhooks/stripe`, { method: 'POST', headers, body }))
              .status;
          }),
        );
      for (const milliseconds of KILLED_AFTER_MS) {
        const server = await startServer(env);
        const telling = tellAll(server.url);
        await wait(milliseconds);
        await server.stop('SIGKILL');
        await telling;
        log += server.log();
      }
      const server = await startServer({ ...env, ...startedLater(LEASE_MS) });
      expect(await tellAll(server.url)).toEqual(
        payloads.map(() => ({ status: 'fulfilled', value: 200 })),
      );
      const mailed = join(folder.path, 'mail');
      const files = () => readdirSync(mailed).filter((name) => name.endsWith('.eml'));
      await expect.poll(() => files().length, { timeout: 40_000, interval: 250 }).toBe(PURCHASES);
      const mails = await Promise.all(
        files().map((name) => PostalMime.parse(readFileSync(join(mailed, name)))),
      );
      expect(new Set(mails.map(({ to }) => to?.[0]?.address)).size).toBe(PURCHASES);

      const { licences } = await pavisJson(['licence', 'list'], env);
      expect(licences).toHaveLength(PURCHASES);
      const keys = mails.map(({ text }) => /pv_test_\w{32}/.exec(text ?? '')?.[0] ?? '');
      const [key = ''] = keys;
      expect((await server.http.site('validate', key, 'https://example.com')).json.valid).toBe(
        true,
      );
      await server.stop();
      log += server.log();
      for (const each of keys) expect(log).not.toContain(each.slice('pv_test_'.length));
      if (engine === 'sqlite') {
        const file = database.url.slice('sqlite:'.length);
        const bytes = readdirSync(join(file, '..'))
          .map((name) => readFileSync(join(file, '..', name), 'latin1'))
          .join('');
        for (const each of keys) expect(bytes.includes(each.slice('pv_test_'.length))).toBe(false);
      }
      await database.drop();
    }, 110_000);
  },
);
