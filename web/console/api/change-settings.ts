import { ApiFailure, getTagged, putTagged } from './client.ts';
import { queryClient, taggedSettingsQuery } from './queries.ts';
import type { Settings } from './types.ts';

/** Partial at two levels, as the API takes it. */
type SettingsUpdate = { [Section in keyof Settings]?: Partial<Settings[Section]> };

/** Changes the latest settings at once, and again if another user has changed them meanwhile. */
export async function changeSettings(
  change: (settings: Settings) => SettingsUpdate,
): Promise<Settings> {
  for (;;) {
    const { value, etag } = await getTagged<Settings>('/settings');
    try {
      const saved = await putTagged<Settings>('/settings', change(value), etag);
      queryClient.setQueryData(taggedSettingsQuery.queryKey, saved);
      return saved.value;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 412) throw error;
    }
  }
}
