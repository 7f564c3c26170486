import type { Platform } from '../../../platform/deps.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { Job } from '../../../platform/jobs/job.ts';
import { ConsentVersions, type SettingsCache } from '../../settings/index.ts';
import { type PictureSettings, takeMissingPictures } from './service.ts';
import { listVersionsWithoutPictures } from './store.ts';

/**
 * Takes missing pictures of the banner on one node: within minutes after a version is saved and after a start, and
 * every hour.
 */
export function bannerPictureJob(
  platform: Platform,
  { settings, ...pictures }: PictureSettings & { settings: SettingsCache },
) {
  const scope = { ...pictures, settings, versions: new ConsentVersions(platform) };
  const job = new Job(platform, {
    name: 'banner_pictures',
    next: (now) => now + HOUR_MS,
    async work(signal) {
      // A version can be saved while the pictures of another are taken.
      while ((await takeMissingPictures(platform, scope, signal)) > 0);
    },
  });
  const logFailure = (err: unknown) =>
    platform.log.warn({ err }, 'pictures of the banner will be taken later');
  /** The latest version for which the job was made due. */
  let known = 0;
  /** Also called when caches are cleared. Making it due each time would start a browser that fails every minute. */
  async function makeDueForNewVersion(): Promise<void> {
    const [latest = 0] = await listVersionsWithoutPictures(platform.datastore.db);
    if (latest <= known) return;
    await job.makeDue();
    known = latest;
  }
  settings.onChange(() => {
    makeDueForNewVersion().catch(logFailure);
  });
  return {
    start() {
      // There may be a browser now, or another version since the last stop.
      job.makeDue().catch(logFailure);
      job.start();
    },
    stop: () => job.stop(),
  };
}
