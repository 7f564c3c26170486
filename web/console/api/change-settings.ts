import { ApiError, getTagged, putTagged } from './client.ts';
import { queryClient, taggedSettingsQuery } from './queries.ts';
import type { Settings } from './types.ts';

/** A partial update: sections, and fields within them, can be left out. */
type SettingsUpdate = { [Section in keyof Settings]?: Partial<Settings[Section]> };

/** Reads and updates the settings. Repeats both if another user has changed them in between. */
export async function changeSettings(
  change: (settings: Settings) => SettingsUpdate,
): Promise<Settings> {
  for (let refused: string | undefined; ; ) {
    const { value, etag } = await getTagged<Settings>('/settings');
    try {
      const saved = await putTagged<Settings>('/settings', change(value), etag);
      queryClient.setQueryData(taggedSettingsQuery.queryKey, saved);
      return saved.value;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      // Nobody has changed them, so a proxy has changed the tag and would do so again.
      if (etag === refused) throw error;
      refused = etag;
    }
  }
}
