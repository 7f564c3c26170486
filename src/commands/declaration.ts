import type { Command } from 'commander';
import { resolveAddresses } from '../config/index.ts';
import { readDeclaration } from '../privacy/declaration/index.ts';
import { readSettings } from '../privacy/settings/index.ts';
import { command, currentConfig, print, table, withPlatform } from './cli.ts';

/** `pavis declaration` */
export function declarationCommand(program: Command): void {
  command(program, 'declaration', 'print the cookies and third parties that the latest scan saw')
    .option('--language <language>', 'for example de (default: the first language of the site)')
    .action(({ json, language }) => {
      const config = currentConfig();
      const { restRoot, siteUrl } = resolveAddresses(config);
      return withPlatform(config, async (platform) => {
        const settings = () => readSettings(platform.datastore.db, restRoot);
        const first = (await settings()).settings.consent.languages[0] ?? 'en';
        const { timeZone } = config;
        const scope = { platform, settings, siteUrl: () => siteUrl, timeZone };
        const declaration = await readDeclaration(scope, language || first);
        print(json, declaration, toText(declaration));
      });
    });
}

type Declaration = Awaited<ReturnType<typeof readDeclaration>>;

function toText({ labels, categories }: Declaration): string {
  const { columns } = labels;
  const parts = [`${labels.title}\n${labels.basis}`];
  for (const { label, recipients } of categories) {
    const rows = recipients.flatMap(({ name, domains, stored }) => [
      [name, '', domains.join(', '), ''],
      ...stored.map((item) => [
        `  ${item.name}`,
        item.kind_label,
        item.domain,
        item.usual_duration ? `${item.duration} (${item.usual_duration})` : item.duration,
      ]),
    ]);
    parts.push(
      `${label}\n${table([columns.name, columns.kind, columns.domain, columns.duration], rows)}`,
    );
  }
  return parts.join('\n\n');
}
