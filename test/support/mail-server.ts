import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { reservePort } from './ports.ts';

interface Arrived {
  /** Of the envelope. */
  from: string;
  to: string[];
  mail: Email;
}

/** How the server handles the next emails: a response code, or no response. */
type Mood = 'takes' | 'hangs' | 'drops' | 451 | 530 | 550;

export interface MailServer {
  url: string;
  /** Accepted emails, in order. */
  arrived: Arrived[];
  mood: Mood;
  /** Number of emails offered, accepted or not. */
  offered(): number;
  start(): Promise<void>;
  /** Closes the port. Accepted emails are kept. */
  stop(): Promise<void>;
}

interface Connection {
  _socket: { destroy(): void };
}

/** A real mail server on its own port, which stays the same after a restart. */
export async function mailServer(): Promise<MailServer> {
  const port = await reservePort();
  let offered = 0;
  let running: SMTPServer | undefined;
  const server: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    arrived: [],
    mood: 'takes',
    offered: () => offered,
    async start() {
      running = new SMTPServer({
        disabledCommands: ['AUTH', 'STARTTLS'],
        closeTimeout: 100,
        onRcptTo(_address, _session, callback) {
          offered++;
          const { mood } = server;
          if (typeof mood === 'number') {
            callback(Object.assign(new Error(`says ${mood}`), { responseCode: mood }));
          } else callback();
        },
        onData(stream, session, callback) {
          const chunks: Buffer[] = [];
          stream.on('data', (chunk: Buffer) => chunks.push(chunk));
          stream.on('end', async () => {
            if (server.mood === 'hangs') return;
            if (server.mood === 'drops') {
              const open = [...(running?.connections ?? [])] as unknown as Connection[];
              for (const { _socket: socket } of open) socket.destroy();
              return;
            }
            const { mailFrom, rcptTo } = session.envelope;
            const mail = await PostalMime.parse(Buffer.concat(chunks));
            const from = mailFrom ? mailFrom.address : '';
            server.arrived.push({ from, to: rcptTo.map(({ address }) => address), mail });
            callback();
          });
        },
      });
      running.on('error', () => {});
      const { promise, resolve } = Promise.withResolvers<void>();
      running.listen(port, '127.0.0.1', () => resolve());
      await promise;
    },
    async stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (running) running.close(() => resolve());
      else resolve();
      running = undefined;
      await promise;
    },
  };
  await server.start();
  return server;
}
