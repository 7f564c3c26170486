import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import { asciiAddress, readEmail } from '../platform/email-address.ts';
import { isLoopback } from '../platform/http/client-address.ts';
import type { OutboxMail } from './store.ts';

export interface MailSettings {
  /** `smtp://…` or `smtps://…`; undefined: emails are saved as files in the folder. */
  smtpUrl: string | undefined;
  from: { name: string; address: string };
  /** Where mails are put that are not sent. */
  folder: string;
  /** How long a mail server may say nothing. */
  silenceMs?: number;
}

/** Where mails go. */
export interface Delivery {
  /** @throws whatever the mail library throws, and when the signal says stop; `mailFault` reads it */
  deliver(mail: Deliverable, signal?: AbortSignal): Promise<void>;
  /**
   * Whether mails could be sent now, in words.
   * @throws if they could not
   */
  verify(): Promise<string>;
}

/** A mail that no server is asked to take. */
class UnsendableMail extends Error {
  override readonly name = 'UnsendableMail';
  /** As the mail library says it, see `mailFault`. */
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
  return smtpUrl ? smtpDelivery(smtpUrl, from, silenceMs) : fileDelivery(folder, from);
}

/** By way of a mail server, over one connection for each mail. */
function smtpDelivery(
  smtpUrl: string,
  from: MailSettings['from'],
  silenceMs = SILENCE_MS,
): Delivery {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'smtps:';
  // Loaded when there is something to send: most commands never need it.
  let transport: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port: Number(url.port) || (secure ? 465 : 587),
      secure,
      // Within this machine there is nobody to listen, and no certificate that could be checked.
      ignoreTLS: host === 'localhost' || isLoopback(host),
      ...(url.username && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      connectionTimeout: CONNECT_WITHIN_MS,
      greetingTimeout: CONNECT_WITHIN_MS,
      socketTimeout: silenceMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  const opened = () => {
    transport ??= open();
    return transport;
  };
  return {
    async deliver(mail, signal) {
      const message = messageOf(mail, from);
      await (await opened()).sendMail({ ...message, ...(signal && { signal }) });
    },
    async verify() {
      await (await opened()).verify();
      return `the mail server ${url.host} answers`;
    },
  };
}

/** As `.eml` files, which any mail program opens. */
function fileDelivery(folder: string, from: MailSettings['from']): Delivery {
  const prepare = () => mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    async deliver(mail) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true });
      const { message } = await transport.sendMail(messageOf(mail, from));
      await prepare();
      const file = join(folder, `${String(mail.id).padStart(8, '0')}-${mail.messageId}.eml`);
      const draft = `${file}.${process.pid}.part`;
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(message as Buffer);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
    },
    async verify() {
      await prepare();
      return `no mail server is set: emails are saved as files in ${folder}`;
    },
  };
}

/**
 * A mail as the library takes it. Addresses are objects and the envelope is explicit, so that nothing
 * in an address is read as a second one.
 */
function messageOf(mail: Deliverable, from: MailSettings['from']) {
  const { recipient } = mail;
  // The library would take "a@example.com, b@example.com" for a mail to b.
  if (recipient === null || readEmail(recipient) !== recipient) throw new UnsendableMail();
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
    // So that no absence note answers (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
