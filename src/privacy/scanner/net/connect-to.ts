import {
  isPublicAddress,
  parseLiteralAddress,
  toCanonicalHost,
} from '../../../platform/http/ip-addresses.ts';

/** Connects to another address for a host and port. Entries are exempt from the guard. */
export interface ConnectTo {
  /** A canonical host, or `*`. */
  host: string;
  port: number | '*';
  /** An address without brackets, or a name. */
  toHost: string;
  toPort: number;
}

const ENTRY = /^(\*|\[[^\]]*\]|[^:=[\]]+):(\*|\d{1,5})=(\[[^\]]*\]|[^:=[\]]+):(\d{1,5})$/;

/**
 * Parses `PAVIS_SCANNER_CONNECT_TO`: comma-separated `HOST:PORT=ADDRESS:PORT`. HOST and PORT can be `*`, and IPv6
 * addresses are in brackets.
 * @returns the entries, or the first invalid one
 */
export function parseConnectTo(text: string): { entries: ConnectTo[] } | { wrong: string } {
  const entries: ConnectTo[] = [];
  for (const item of text.split(',')) {
    if (item.trim() === '') continue;
    const entry = parseEntry(item.trim());
    if (!entry) return { wrong: item.trim() };
    entries.push(entry);
  }
  return { entries };
}

/** Finds the first matching entry. `*` matches all names and public addresses. Private addresses must be listed. */
export function findConnectTo(
  entries: readonly ConnectTo[],
  host: string,
  port: number,
): ConnectTo | undefined {
  const literal = parseLiteralAddress(host);
  const mayBeAny = literal === undefined || isPublicAddress(literal);
  return entries.find(
    (entry) =>
      (entry.host === host || (entry.host === '*' && mayBeAny)) &&
      (entry.port === port || entry.port === '*'),
  );
}

function parseEntry(item: string): ConnectTo | undefined {
  const [, host = '', port = '', toHost = '', toPort = ''] = ENTRY.exec(item) ?? [];
  const from = host === '*' ? host : toCanonicalHost(host);
  const to = toCanonicalHost(toHost);
  const ports = [port === '*' ? 1 : Number(port), Number(toPort)];
  if (!from || !to || ports.some((each) => each < 1 || each > 65_535)) return undefined;
  return {
    host: from,
    port: port === '*' ? port : Number(port),
    toHost: parseLiteralAddress(to) ?? to,
    toPort: Number(toPort),
  };
}
