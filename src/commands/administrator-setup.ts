import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type Config, maskUrl } from '../config/index.ts';
import { createSetupToken, hasAdministrator } from '../identity/users/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import type { Platform } from '../platform/deps.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';

/** How to create the first administrator. */
export interface AdministratorSetup {
  /** Works once, within a day; undefined if this process serves no console. */
  url: string | undefined;
  expiresAt: string;
  command: string;
  /** Environment variables with secret values that the command needs as well. */
  secrets: string[];
}

/** @returns undefined if there is an administrator */
export async function findAdministratorSetup(
  platform: Platform,
  config: Config,
  consoleUrl: string,
): Promise<AdministratorSetup | undefined> {
  if (await hasAdministrator(platform)) return undefined;
  const { token, expiresAt } = createSetupToken(platform);
  const { dataDir, databaseUrl, secret, services } = config;
  const hidesUrl = maskUrl(databaseUrl) !== databaseUrl;
  const isDefaultUrl = databaseUrl === `sqlite:${resolve(dataDir, 'pavis.db')}`;
  const settings = [
    ...(dataDir === resolve('data') ? [] : [`PAVIS_DATA_DIR=${quote(dataDir)}`]),
    ...(hidesUrl || isDefaultUrl ? [] : [`PAVIS_DATABASE_URL=${quote(databaseUrl)}`]),
  ];
  const create = 'user create admin --email you@example.com --role administrator';
  // The `.env` file is read from here.
  const folder = process.cwd();
  const hasNpx = folder === PROJECT_ROOT || PROJECT_ROOT.includes('node_modules');
  const byPath = hasNpx ? 'npx pavis' : `node ${quote(join(PROJECT_ROOT, 'bin', 'pavis.js'))}`;
  const pavis = isOnPath() ? 'pavis' : byPath;
  return {
    url: services.includes('plugin') ? `${consoleUrl}/setup#${token}` : undefined,
    expiresAt: toIsoMoment(expiresAt),
    command: [`cd ${quote(folder)} &&`, ...settings, pavis, create].join(' '),
    secrets: [...(hidesUrl ? ['PAVIS_DATABASE_URL'] : []), ...(secret ? ['PAVIS_SECRET'] : [])],
  };
}

export function describeAdministratorSetup({
  url,
  expiresAt,
  command,
  secrets,
}: AdministratorSetup): string[] {
  const link = url && [
    '  To create one, open this link. It works once, until',
    `  ${expiresAt}. A restart prints a new one.`,
    '',
    `    ${url}`,
    '',
    '  Or run this command on this machine, with your own login and email address. It prints the password.',
  ];
  const withSecrets = `  (Set ${secrets.join(' and ')} there as for the server.)`;
  return [
    '  There is no administrator yet.',
    ...(link || ['  To create one, run this command on this machine. It prints the password.']),
    ...(secrets.length > 0 ? [withSecrets] : []),
    '',
    `    ${command}`,
  ];
}

/** True in the container image and with deploy/pavis. npx and npm add folders to the path that the user does not have. */
const isOnPath = (): boolean =>
  process.env.npm_command === undefined &&
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'pavis')));

/** Quotes a word for a POSIX shell. */
const quote = (text: string): string =>
  /^[\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
