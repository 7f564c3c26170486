import type { IncomingMessage } from 'node:http';
import type { CountryResponse, Reader } from 'maxmind';
import { CliError } from '../errors.ts';
import { type AddressRange, getClientIp, isTrustedProxy } from './client-address.ts';

/** ISO 3166-1 alpha-2; undefined if it is unknown. */
export type FindCountry = (
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
) => string | undefined;

export interface CountrySettings {
  /** The header, in lower case, in which a trusted proxy names the country of the client. */
  header: string | undefined;
  /** The path of an MMDB file. */
  database: string | undefined;
}

/** Databases have one of two shapes: that of MaxMind and DB-IP, or that of ip-location-db. */
type CountryRecord = Pick<CountryResponse, 'country'> & { country_code?: string };

/** What content delivery networks send for clients without a country. */
const UNKNOWN = new Set(['XX', 'ZZ']);

/**
 * Finds the country of clients by the header of a trusted proxy, otherwise by a database of addresses, which is read
 * once. Nothing is stored or logged: the country is forgotten with the request.
 * @returns undefined without either: the country of all clients is unknown
 * @throws CliError (exit 2) if the database cannot be read
 */
export async function openCountryFinder(
  { header, database }: CountrySettings,
  trusted: readonly AddressRange[],
): Promise<FindCountry | undefined> {
  if (header === undefined && database === undefined) return undefined;
  const reader = database === undefined ? undefined : await openDatabase(database);
  return (request) => {
    const { headers, socket } = request;
    const isTrusted = header !== undefined && isTrustedProxy(socket.remoteAddress, trusted);
    const named = isTrusted ? toCountry(headers[header]) : undefined;
    if (named !== undefined || !reader) return named;
    const address = getClientIp(request, trusted);
    const record = address === undefined ? null : reader.get(address);
    return toCountry(record?.country?.iso_code ?? record?.country_code);
  };
}

function toCountry(value: unknown): string | undefined {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return /^[A-Z]{2}$/.test(code) && !UNKNOWN.has(code) ? code : undefined;
}

async function openDatabase(path: string): Promise<Reader<CountryRecord & CountryResponse>> {
  try {
    // Loaded here, because most installations have no database.
    const { open } = await import('maxmind');
    return await open<CountryRecord & CountryResponse>(path);
  } catch (error) {
    throw new CliError(
      `PAVIS_COUNTRY_DATABASE is "${path}", which cannot be read as a country database (${(error as Error).message}): the path of an MMDB file is allowed`,
      2,
    );
  }
}
