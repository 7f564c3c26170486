import { resolveAddresses } from '../../src/config/index.ts';
import { sendDueMails } from '../../src/mail/index.ts';
import { openDataSubjectRequests } from '../../src/modules/dsar.ts';
import { runDueTask } from '../../src/privacy/dsar/fulfilment/index.ts';
import type { Dsar } from '../../src/privacy/dsar/index.ts';
import { basicAuth } from './makers.ts';
import type { TestApp } from './test-app.ts';

const ROOT = '/wp-json/svc/v1';

interface Mailed {
  to: string;
  kind: string;
  subject: string;
  text: string;
  /** Null if replies are not received. */
  replyTo: string | null;
  fromName: string | null;
}

/** Sends requests as a data subject or an administrator, and runs background work on demand. */
export function createDsarClient(app: TestApp) {
  const dsar = (): Dsar =>
    openDataSubjectRequests(app.platform, app.config, () => ({
      ...resolveAddresses(app.config, Number(new URL(app.url).port)),
      restRoot: `${app.url}/wp-json`,
      siteUrl: app.url,
    }));
  let made = 0;
  let administrator: ReturnType<typeof basicAuth> | undefined;
  const intake = (body: object, headers: Record<string, string> = {}) =>
    app.http.post(`${ROOT}/dsar/intake`, { body, headers });
  return {
    dsar,
    intake,
    /** Creates a request from a new address. */
    async request(more: object = {}) {
      const email = `subject-${++made}@example.com`;
      const { status, json } = await intake({ request_type: 'access', email, ...more });
      if (status !== 201) throw new Error(`intake ended with ${status}: ${JSON.stringify(json)}`);
      return { ...json, email } as { id: number; reference: string; email: string };
    },
    status: (reference: string, email: string) =>
      app.http.get(`${ROOT}/dsar/status?${new URLSearchParams({ reference, email })}`),
    verify: (token: string) => app.http.post(`${ROOT}/dsar/verify`, { body: { token } }),
    /** The headers of an administrator. */
    headers(): ReturnType<typeof basicAuth> {
      administrator ??= basicAuth(app.platform);
      return administrator;
    },
    /** Calls the API as an administrator. */
    async admin(method: string, path: string, body?: object) {
      const headers = await this.headers();
      return app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    },
    /** Sends the outbox and returns what was sent, without alerts for administrators. */
    async mails(): Promise<Mailed[]> {
      return (await this.allMails()).filter(({ kind }) => kind !== 'dsar_new_requests');
    },
    /** Sends the outbox and returns what was sent. */
    async allMails(): Promise<Mailed[]> {
      const sent: Mailed[] = [];
      const delivery = {
        async deliver({ recipient, ...mail }: { recipient: string | null }) {
          const { kind, subject, text, replyTo, fromName } = mail as unknown as Mailed;
          sent.push({ to: recipient ?? '', kind, subject, text, replyTo, fromName });
        },
        verify: async () => '',
      };
      while (await sendDueMails(app.platform, delivery)) {}
      return sent;
    },
    /** Approves the erasure of a request as an administrator. */
    async approve(id: number): Promise<void> {
      const { status, text } = await this.admin('POST', `/dsar/cases/${id}/approve`);
      if (status !== 200) throw new Error(`the approval ended with ${status}: ${text}`);
    },
    /** Runs all due tasks. */
    async work(): Promise<void> {
      const opened = dsar();
      while (await runDueTask(opened)) {}
    },
  };
}

/** The token of the link in an email. */
export const tokenIn = ({ text }: { text: string }): string =>
  /\/privacy\/(?:confirm|download|withdraw)\?token=([\w-]+)/.exec(text)?.[1] ?? '';
