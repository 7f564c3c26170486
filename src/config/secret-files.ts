import { readFileSync } from 'node:fs';
import { type Environment, refuse } from './values.ts';

/** Settings that are secret, or contain a password. */
export const SECRETS = [
  'PAVIS_SECRET',
  'PAVIS_DATABASE_URL',
  'PAVIS_DATABASE_DIRECT_URL',
  'PAVIS_SMTP_URL',
  'PAVIS_METRICS_TOKEN',
  'PAVIS_STRIPE_SECRET_KEY',
  'PAVIS_STRIPE_WEBHOOK_SECRET',
  'PAVIS_OIDC_CLIENT_SECRET',
];

/**
 * Reads secret settings from the files that variables such as `PAVIS_SECRET_FILE` name, as Docker and systemd provide
 * secrets. Other programs see the environment of a process more easily than a file.
 * @throws CliError (exit 2) if a file cannot be read or is empty, or the setting is given in both ways
 */
export function readSecretFiles(env: Environment): Environment {
  const found: Record<string, string> = {};
  for (const name of SECRETS) {
    const variable = `${name}_FILE`;
    const file = env[variable];
    if (!file) continue;
    if (env[name]) refuse(variable, `is set together with ${name}`, 'set only one of the two');
    let content: string;
    try {
      content = readFileSync(file, 'utf8');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      refuse(
        variable,
        `names a file that cannot be read (${message})`,
        code === 'EACCES'
          ? `give it to user ${process.getuid?.()}, who runs Pavis, for example with chown`
          : 'set the path of a file that holds the value',
      );
    }
    // An empty value would count as not set: Pavis would start with another database or secret.
    if (content.trim() === '') refuse(variable, 'names an empty file', 'put the value into it');
    // Editors and `echo` end a file with a line break, which is not part of the secret.
    found[name] = content.replace(/\r?\n$/, '');
  }
  return { ...env, ...found };
}
