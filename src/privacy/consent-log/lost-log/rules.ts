/** At the end of the name of a log that was begun in place of another: the moment, so that later ones are higher. */
const STAMP = /-\d{8}T\d{6}Z$/;

/** The name of the log that is begun in place of one that is lost. @param stamp for example `20261122T093000Z` */
export const nameNextLog = (lost: string, stamp: string): string =>
  `${lost.replace(STAMP, '')}-${stamp}`;

/** Whether a log with this name was begun in place of another one, directly or after further losses. */
export function isNameOfLater(origin: string, earlier: string): boolean {
  const [stamp = '', before = ''] = [origin, earlier].map((name) => STAMP.exec(name)?.[0]);
  return stamp > before && origin.replace(STAMP, '') === earlier.replace(STAMP, '');
}
