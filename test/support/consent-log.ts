import { consentRecords } from '../../src/privacy/consent/index.ts';
import { toEntryColumns } from '../../src/privacy/consent-log/index.ts';
import { openAppender } from '../../src/privacy/consent-log/sequencer/appender.ts';
import type { TestApp } from './test-app.ts';

/** Logs every row of an application that has no entry yet, as the thread of a server does. */
export async function logAll({ config, platform, clock }: TestApp): Promise<void> {
  const appender = await openTestAppender({ config, platform });
  try {
    while ((await appender.append(clock.now())).hasMore);
  } finally {
    await appender.close();
  }
}

/** The writer of the log with connections of its own, as a node has it. */
export const openTestAppender = ({ config, platform }: Pick<TestApp, 'config' | 'platform'>) =>
  openAppender({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    origin: 'www.example.com/pavis-consent',
    seed: platform.secret.key('consent log'),
    columns: toEntryColumns(consentRecords),
  });
