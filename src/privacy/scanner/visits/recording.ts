import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { toPlainUrl } from '../classify/plain-url.ts';
import type { CookieObservation, StateVisit, StorageObservation } from '../observation.ts';

/** What a visit requested and stored, without values of queries and cookies. */
export interface Recording {
  requests: StateVisit['requests'];
  cookies: (Pick<
    CookieObservation,
    | 'name'
    | 'domain'
    | 'path'
    | 'lifetimeSeconds'
    | 'secure'
    | 'httpOnly'
    | 'sameSite'
    | 'blockedReasons'
  > & { setBy?: string })[];
  storage: Pick<StorageObservation, 'area' | 'name' | 'origin'>[];
}

export function toRecording({ requests, cookies, storage }: StateVisit): Recording {
  return {
    requests: requests.flatMap(({ url, initiator, redirectedFrom, ...request }) => {
      const plain = toPlainUrl(url);
      if (plain === undefined) return [];
      const { method, kind, at, isAfterChoice, status, mimeType, failure } = request;
      return [
        {
          url: plain,
          method,
          kind,
          at: Math.round(at),
          isAfterChoice,
          ...withPlain('initiator', initiator),
          ...withPlain('redirectedFrom', redirectedFrom),
          ...(status !== undefined && { status }),
          ...(mimeType !== undefined && { mimeType }),
          ...(failure !== undefined && { failure }),
        },
      ];
    }),
    cookies: cookies.map(({ setBy, ...cookie }) => ({
      name: cookie.name,
      domain: cookie.domain,
      path: cookie.path,
      lifetimeSeconds: cookie.lifetimeSeconds,
      secure: cookie.secure,
      httpOnly: cookie.httpOnly,
      sameSite: cookie.sameSite,
      blockedReasons: cookie.blockedReasons,
      ...withPlain('setBy', setBy),
    })),
    storage: storage.map(({ area, name, origin }) => ({ area, name, origin })),
  };
}

function withPlain<Name extends string>(name: Name, url: string | undefined) {
  const plain = url === undefined ? undefined : toPlainUrl(url);
  return plain === undefined ? {} : ({ [name]: plain } as Record<Name, string>);
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export const packRecording = (recording: Recording): Promise<Buffer> =>
  compress(JSON.stringify(recording));

export const unpackRecording = async (packed: Uint8Array): Promise<Recording> =>
  JSON.parse((await decompress(packed)).toString());
