import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { insertTestScan, makeStateVisit, saveVisit } from '../../test/support/scan-visits.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { summarise, toResults } from '../privacy/scanner/index.ts';
import { readSettings } from '../privacy/settings/index.ts';
import { listFailures } from './scan-checks.ts';
import { toJunit } from './scan-junit.ts';
import { toText } from './scan-text.ts';

const SITE = 'https://example.com/';
const ENDED = 'The visit took too long and was ended.';

describe.each(ENGINES)('A scan whose rejection ended early on %s', (engine) => {
  const app = useTestApp(engine);

  async function scan(...rejections: (string | undefined)[]) {
    const { db } = app.platform.datastore;
    const id = await insertTestScan(app.platform, SITE, ['before', 'rejected']);
    for (const [at, error] of rejections.entries()) {
      const rejected = makeStateVisit('rejected', error === undefined ? {} : { error });
      const visits = [makeStateVisit('before'), rejected];
      await saveVisit(app.platform, id, { url: `${SITE}${at}`, observations: [], visits });
    }
    const summary = await summarise(db, id, await readSettings(db, SITE));
    return toResults(summary, { findings: [], total: 0 });
  }

  it('does not pass --fail-on broken-promise', async () => {
    const results = await scan(ENDED);
    expect(results.outcomes).toContainEqual({
      ...{ state: 'rejected', outcome: 'reached' },
      ...{ pages: 1, ended_early: 1 },
    });
    expect(listFailures(results, ['broken-promise'])).toEqual([
      'no page reached the state rejected: the visit ended early on 1 page. Check in the console what the visit shows',
    ]);
    expect(toJunit(results, ['broken-promise'])).toContain(
      '<testcase classname="pavis.state" name="rejected" time="0"><failure ',
    );
    expect(toText(results)).toContain('Not reached: rejected (the visit ended early on 1 page).');
  });

  it('passes with a complete rejection on another page, and is named', async () => {
    const results = await scan(ENDED, undefined, undefined);
    expect(listFailures(results, ['broken-promise'])).toEqual([]);
    expect(toJunit(results, ['broken-promise'])).toContain(
      'state rejected: not reached: the visit ended early on 1 page',
    );
    expect(toText(await scan(undefined))).not.toContain('Not reached');
  });
});
