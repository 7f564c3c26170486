import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from './client.ts';

export type Packet = string | Uint8Array;

/** Time for the server to read a packet before the next one arrives. */
const GAP_MS = 25;
const PATIENCE_MS = 5_000;

/**
 * Sends raw packets and returns the response once the server closes the connection, for example because of
 * `Connection: close`. The status is 0 if there is no response.
 * @param hangUp end the connection after the last packet, as a disconnecting client does
 */
export async function sendRaw(
  url: string,
  packets: Packet | Packet[],
  { hangUp = false } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay();
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve) => {
    socket.on('data', (part: Buffer) => received.push(part));
    // The server may close the connection during the upload.
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  });
  for (const [at, packet] of [packets].flat().entries()) {
    if (at > 0) await wait(GAP_MS);
    socket.write(packet);
  }
  if (hangUp) socket.end();
  await closed;
  return parse(Buffer.concat(received).toString());
}

function parse(response: string): Answer {
  const end = response.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = response.slice(0, Math.max(end, 0)).split('\r\n');
  const status = Number(statusLine.split(' ')[1] ?? 0);
  const rest = response.slice(end + 4);
  if (status >= 100 && status < 200) return parse(rest);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const text = headers.get('transfer-encoding') === 'chunked' ? dechunk(rest) : rest;
  const isJson = headers.get('content-type')?.includes('json');
  return { status, headers, text, json: isJson && text ? JSON.parse(text) : undefined };
}

/** Supports single-byte characters only, which is enough for error responses. */
function dechunk(text: string): string {
  const start = text.indexOf('\r\n') + 2;
  const size = Number.parseInt(text.slice(0, start), 16);
  if (!(size > 0)) return '';
  return text.slice(start, start + size) + dechunk(text.slice(start + size + 2));
}
