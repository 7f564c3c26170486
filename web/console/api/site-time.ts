/** The server sends it with the session. */
let siteTimeZone = 'UTC';
export const setSiteTimeZone = (timeZone: string): void => {
  siteTimeZone = timeZone;
};

/** Today in the zone of the site, as `YYYY-MM-DD`. Deadlines, statistics and filters by day use this zone. */
export const getToday = (): string => formatNow({ timeZone: siteTimeZone }).slice(0, 10);

/** Whether the clocks of the site and of the browser differ. */
export const isSiteTimeDifferent = (): boolean =>
  formatNow({ timeZone: siteTimeZone }) !== formatNow({});

const formatNow = (zone: { timeZone?: string }): string =>
  new Intl.DateTimeFormat('sv-SE', { ...zone, dateStyle: 'short', timeStyle: 'short' }).format();
