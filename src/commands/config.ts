import type { Command } from 'commander';
import { describeConfig } from '../config/describe.ts';
import { command, currentConfig, print, table } from './cli.ts';

/** `pavis config` */
export function configCommand(program: Command): void {
  command(program, 'config', 'show all settings, with secrets masked').action(({ json }) => {
    const settings = describeConfig(currentConfig());
    const rows = Object.entries(settings).map(([name, value]) => [name, String(value ?? '')]);
    print(json, settings, table(['setting', 'value'], rows));
  });
}
