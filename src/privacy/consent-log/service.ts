import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { createSigner, isKeyName } from '../../platform/transparency-log/index.ts';
import { toEntryColumns } from './entries/columns.ts';
import { openLog } from './log/open.ts';
import type { ConsentLogState } from './log/schemas.ts';
import { listPastLosses } from './lost-log/history.ts';
import { describeLoss } from './lost-log/service.ts';
import { findNewOrigin } from './lost-log/store.ts';
import { checkpointMailJob, type Mailbox } from './mailbox/job.ts';
import { readNotedHead } from './noted-head/service.ts';
import type { AppenderOrder } from './sequencer/open.ts';
import { Sequencer } from './sequencer/sequencer.ts';
import { countNotLogged } from './sequencer/state.ts';
import { createVerifications } from './verification/runs/service.ts';
import type { WitnessAddress } from './witnesses/client.ts';
import { witnessJob } from './witnesses/job.ts';
import { addCosignatures, findCosignedCheckpoint, listWitnessStates } from './witnesses/service.ts';

interface Scope extends Pick<AppenderOrder, 'databaseUrl' | 'dataDir'> {
  /** What is personal data in consent records. */
  declaration: PersonalDataDeclaration;
  siteUrl: () => string;
  /** The witnesses of the settings. */
  readWitnesses: () => Promise<readonly WitnessAddress[]>;
  /** Where checkpoints are sent; undefined if nowhere. */
  readMailbox: () => Promise<Mailbox | undefined>;
  /** Whether witnesses may be in private networks and on this machine. */
  privateWitnesses: boolean;
}

/** The consent log of an installation, and the thread that writes it. */
export function createConsentLog(
  platform: Platform,
  { siteUrl, readWitnesses, readMailbox, privateWitnesses, declaration, ...place }: Scope,
) {
  const { db } = platform.datastore;
  const log = openLog(platform, place);
  const columns = toEntryColumns(declaration);
  const seed = platform.secret.key('consent log');
  const sequencer = new Sequencer(platform, log, () => ({
    ...place,
    columns,
    seed,
    origin: toLogName(siteUrl()),
  }));
  const verifications = createVerifications(platform, { ...place, declaration });
  return {
    log,
    declaration,
    sequencer,
    verifications,
    jobs: () => [
      sequencer,
      witnessJob(platform, { log, readWitnesses, allowsPrivate: privateWitnesses }),
      checkpointMailJob(platform, { log, readMailbox }),
    ],
    addCosignatures: (checkpoint: string) => addCosignatures(db, checkpoint),
    async readState(): Promise<Omit<ConsentLogState, 'public'>> {
      // Before the head: the database notes only what the log has.
      const noted = await readNotedHead(db);
      const isSqlite = platform.datastore.engine === 'sqlite';
      const loss = await describeLoss(noted, log, { isSqlite, dataDir: place.dataDir });
      const head = await log.readHead();
      const notLogged = await countNotLogged(platform, log);
      // Someone can have changed the name of the log.
      const named = [head?.origin, noted?.origin].find(isKeyName);
      const { name: origin, verifierKey } = createSigner(
        named ?? (await findNewOrigin(db)) ?? toLogName(siteUrl()),
        seed,
      );
      const { failure } = sequencer;
      return {
        origin,
        verifier_key: verifierKey,
        size: head?.size ?? 0,
        root: head?.root.toString('base64') ?? null,
        checkpoint_at: toIsoMomentOrNull(head?.signedAt ?? null),
        not_logged: notLogged.count,
        not_logged_since: toIsoMomentOrNull(notLogged.since),
        last_error: failure ? { at: toIsoMoment(failure.at), message: failure.message } : null,
        loss: loss ?? sequencer.loss ?? null,
        ...(await listPastLosses(db, seed)),
        witnesses: await listWitnessStates(db, origin, await readWitnesses()),
        cosigned_checkpoint: await findCosignedCheckpoint(db, origin),
      };
    },
    async close(): Promise<void> {
      await verifications.close();
      await sequencer.close();
      await log.close();
    },
  };
}

/** The name of a new log. It stays the same when the address of the site changes. */
const toLogName = (siteUrl: string): string => `${new URL(siteUrl).host}/pavis-consent`;
