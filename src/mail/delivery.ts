import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import { createFolder } from '../platform/durable-file.ts';
import { asciiAddress, readEmail } from '../platform/email-address.ts';
import { isLoopback } from '../platform/http/client-address.ts';
import type { OutboxMail } from './store.ts';

export interface MailSettings {
  /** `smtp://…` or `smtps://…`; undefined: emails are saved as files in the folder. */
  smtpUrl: string | undefined;
  from: { name: string; address: string };
  /** For `.eml` files where there is no server. */
  folder: string;
  /** After which an unresponsive server counts as unreachable. */
  silenceMs?: number;
}

export interface Delivery {
  /** @throws an error of nodemailer, for `toMailFault` */
  deliver(mail: Deliverable, signal?: AbortSignal): Promise<void>;
  /**
   * @returns how mails are sent, for `doctor`
   * @throws if they cannot be sent
   */
  verify(): Promise<string>;
  /** `last_error` of each mail that it takes: why nobody receives it. */
  note?: string;
}

class UnsendableMailError extends Error {
  override readonly name = 'UnsendableMailError';
  /** The code of nodemailer, for `toMailFault`. */
  readonly code = 'EENVELOPE';

  constructor() {
    super('the recipient is not a single email address');
  }
}

type Deliverable = Pick<
  OutboxMail,
  'id' | 'messageId' | 'recipient' | 'fromName' | 'replyTo' | 'subject' | 'text' | 'html'
>;

const CONNECT_WITHIN_MS = 10_000;
const SILENCE_MS = 30_000;

export function createDelivery({ smtpUrl, from, folder, silenceMs }: MailSettings): Delivery {
  return smtpUrl ? createSmtpDelivery(smtpUrl, from, silenceMs) : createFileDelivery(folder, from);
}

/** One connection per mail. */
function createSmtpDelivery(
  smtpUrl: string,
  from: MailSettings['from'],
  silenceMs = SILENCE_MS,
): Delivery {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  const isLocal = host === 'localhost' || isLoopback(host);
  let transport: Promise<Transporter> | undefined;
  async function open(): Promise<Transporter> {
    // Loaded late: most commands never need it.
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port: Number(url.port) || (secure ? 465 : 587),
      secure,
      // Connections within this machine need no encryption, and have no certificate to check.
      ignoreTLS: isLocal,
      // Someone in between may hide STARTTLS, to read the password and the emails (RFC 8314).
      requireTLS: url.username !== '' && !secure && !isLocal,
      ...(url.username && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      connectionTimeout: CONNECT_WITHIN_MS,
      greetingTimeout: CONNECT_WITHIN_MS,
      socketTimeout: silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
  const getTransport = () => (transport ??= open());
  return {
    async deliver(mail, signal) {
      const message = toMessage(mail, from);
      const sending = (await getTransport()).sendMail({ ...message, ...(signal && { signal }) });
      await sending.catch(explainRefusedTls);
    },
    async verify() {
      await (await getTransport()).verify().catch(explainRefusedTls);
      return `the mail server ${url.host} answers`;
    },
  };
}

/** @throws the error of nodemailer, or what to do about a server that does not encrypt the connection */
function explainRefusedTls(error: Error & { code?: unknown; response?: unknown }): never {
  if (error.code !== 'ETLS' || !error.response) throw error;
  throw new Error(
    `the mail server does not encrypt the connection (STARTTLS: ${error.response}), and the password must not be sent in clear text. Enable STARTTLS on the mail server, use smtps://, or leave user and password out of PAVIS_SMTP_URL`,
  );
}

function createFileDelivery(folder: string, from: MailSettings['from']): Delivery {
  return {
    async deliver(mail) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true });
      const { message } = await transport.sendMail(toMessage(mail, from));
      createFolder(folder);
      const file = join(folder, `${String(mail.id).padStart(8, '0')}-${mail.messageId}.eml`);
      const draft = `${file}.${process.pid}.part`;
      await writeFile(draft, message as Buffer, { mode: 0o600, flush: true });
      await rename(draft, file);
    },
    async verify() {
      createFolder(folder);
      return `no mail server is set: emails are saved as files in ${folder}`;
    },
    note: 'Saved as a file, not sent: no mail server is set.',
  };
}

/** A mail for nodemailer. Address objects and an explicit envelope keep it from parsing a second address. */
function toMessage(mail: Deliverable, from: MailSettings['from']) {
  const { recipient } = mail;
  // nodemailer would send "a@example.com, b@example.com" to b.
  if (recipient === null || readEmail(recipient) !== recipient) throw new UnsendableMailError();
  const to = asciiAddress(recipient);
  const sender = asciiAddress(from.address) || from.address;
  return {
    envelope: { from: sender, to: [to] },
    from: { name: mail.fromName ?? from.name, address: sender },
    to: { name: '', address: to },
    ...(mail.replyTo && { replyTo: { name: '', address: asciiAddress(mail.replyTo) } }),
    messageId: `<${mail.messageId}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    // Prevents absence notices (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
