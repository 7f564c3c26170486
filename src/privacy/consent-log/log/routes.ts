import { NotFoundError } from '../../../platform/errors.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { hasCapability } from '../../../platform/rest/capabilities.ts';
import { forbidden, MissingScopeError } from '../../../platform/rest/errors.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { hasScope } from '../../../platform/rest/scopes.ts';
import {
  getTileWidth,
  parseTilePath,
  TILE_WIDTH,
} from '../../../platform/transparency-log/index.ts';
import { LOG_DAMAGED } from './damage.ts';
import type { ConsentLog } from './open.ts';
import { formatBundle, parseHead } from './rules.ts';
import { Checkpoint, ConsentLogState, Tile } from './schemas.ts';

const YEAR_SECONDS = 31_536_000;
const PUBLIC_SETTING = 'consent_log.public';

export interface LogRouteScope {
  log: ConsentLog;
  /** Whether everyone may read checkpoint, hashes and entries. */
  isPublic: () => Promise<boolean>;
  /** Adds the cosignatures that a checkpoint has got. */
  addCosignatures: (checkpoint: string) => Promise<string>;
  readState: () => Promise<Omit<ConsentLogState, 'public'>>;
}

/** The consent log: its state, and what C2SP tlog-tiles serves, with `/consent/log` as the prefix. */
export function logRoutes(
  api: RestApi,
  { log, isPublic, addCosignatures, readState }: LogRouteScope,
): void {
  /** @returns the first directive of `Cache-Control` */
  async function assertReader(user: User | null): Promise<'public' | 'private'> {
    if (await isPublic()) return 'public';
    if (!user) throw forbidden(401);
    if (!hasCapability(user, 'read_privacy')) throw forbidden(403);
    if (!hasScope(user, 'consent:read')) throw new MissingScopeError('consent:read');
    return 'private';
  }

  api.add({
    method: 'GET',
    path: '/consent/log',
    access: 'read_privacy',
    summary: 'Get the state of the consent log',
    answers: { 200: ConsentLogState },
    async handle() {
      return { body: { ...(await readState()), public: await isPublic() } };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/log/checkpoint',
    access: 'public',
    publicSetting: PUBLIC_SETTING,
    summary: 'Get the checkpoint of the consent log',
    answers: { 200: Checkpoint },
    refusals: {
      401: 'rest_forbidden',
      403: 'rest_forbidden',
      404: 'not_found',
      503: LOG_DAMAGED,
    },
    async handle({ user }) {
      const scope = await assertReader(user);
      const head = await log.readHead();
      if (!head) throw new NotFoundError('The checkpoint');
      parseHead(head);
      const text = await addCosignatures(head.checkpoint);
      return {
        raw: { contentType: 'text/plain; charset=utf-8', text },
        headers: { 'cache-control': `${scope}, max-age=1`, 'content-disposition': 'inline' },
      };
    },
  });
  api.add({
    method: 'GET',
    path: '/consent/log/tile/{tile}',
    access: 'public',
    publicSetting: PUBLIC_SETTING,
    summary: 'Get a tile or an entry bundle of the consent log',
    answers: { 200: Tile },
    refusals: {
      401: 'rest_forbidden',
      403: 'rest_forbidden',
      404: 'not_found',
      503: LOG_DAMAGED,
    },
    async handle({ key, user }) {
      const scope = await assertReader(user);
      const tile = parseTilePath(key.replaceAll(/%2f/gi, '/'));
      const head = tile && (await log.readHead());
      if (!head) throw new NotFoundError('The tile');
      const { level, number, width } = tile;
      const there = getTileWidth(head.size, level === 'entries' ? 0 : level, number);
      if (width > there) throw new NotFoundError('The tile');
      const text =
        level === 'entries'
          ? formatBundle(await log.readEntries(number * TILE_WIDTH, width))
          : await log.readTile(level, number, width);
      return {
        raw: { contentType: 'application/octet-stream', text },
        // What a tile holds never changes, unless the log is lost and replaced (docs/guides/consent-log.md).
        headers: {
          'cache-control': `${scope}, max-age=${YEAR_SECONDS}, immutable`,
          'content-disposition': 'inline',
        },
      };
    },
  });
}
