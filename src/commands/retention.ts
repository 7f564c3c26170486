import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { PERSONAL_DATA } from '../modules/personal-data.ts';
import { PERIOD_UNITS, type PeriodUnit, RETENTION_ACTIONS } from '../personal-data/index.ts';
import type { Platform } from '../platform/deps.ts';
import { CliError } from '../platform/errors.ts';
import { toCamelCase } from '../platform/key-case.ts';
import {
  createPolicy,
  listDatedTypes,
  listPolicies,
  policyCreation,
  type RunRequest,
  runRetention,
  sumRecords,
  toPolicyRecord,
  toRunAnswer,
} from '../privacy/retention/index.ts';
import { actor, command, currentConfig, print, table, withPlatform } from './cli.ts';
import { wholeNumber } from './options.ts';
import { progressBar } from './progress.ts';
import { readFields } from './read-fields.ts';

const MAX_PERIOD = 36_500;
const CATEGORIES = listDatedTypes(PERSONAL_DATA).map(({ category }) => category);
const PolicyCreation = policyCreation(CATEGORIES);

/** `pavis retention …` */
export function retentionCommands(program: Command): void {
  const retention = program.command('retention').description('manage retention policies');

  command(retention, 'list', 'list retention policies').action(({ json }) =>
    withPlatform(currentConfig(), async ({ datastore }) => {
      const policies = (await listPolicies(datastore.db)).map(toPolicyRecord);
      const rows = policies.map((policy) => [
        policy.id,
        policy.name,
        policy.data_category,
        formatPeriod(policy.period_value, policy.period_unit),
        policy.action,
        policy.is_active ? 'yes' : 'no',
        policy.last_run_at?.slice(0, 10) ?? 'never',
      ]);
      const headings = ['id', 'name', 'category', 'period', 'action', 'active', 'last run'];
      print(json, { policies }, table(headings, rows));
    }),
  );

  const add = command(retention, 'add', 'create a retention policy')
    .addOption(
      new Option('--category <slug>', 'the data category')
        .choices(CATEGORIES)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--action <action>', 'anonymise or delete')
        .choices(RETENTION_ACTIONS)
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'the name (default: made from category, action and period)')
    .option('--inactive', 'create the policy inactive');
  for (const unit of PERIOD_UNITS) {
    add.addOption(
      new Option(`--${unit} <n>`, `retention period in ${unit}`)
        .argParser(wholeNumber(1, MAX_PERIOD))
        .conflicts(PERIOD_UNITS.filter((other) => other !== unit)),
    );
  }
  add.action((options) =>
    withPlatform(currentConfig(), async (platform) => {
      const periodUnit = PERIOD_UNITS.find((unit) => options[unit] !== undefined);
      if (!periodUnit) throw new CliError('give the period with --days, --months or --years', 2);
      const { category, action, inactive } = options;
      const period: number = options[periodUnit];
      const { name = `${category}: ${action} after ${formatPeriod(period, periodUnit)}` } = options;
      const args = { name, data_category: category, period_value: period, period_unit: periodUnit };
      const wanted: Static<typeof PolicyCreation> = readFields({ ...args, action }, PolicyCreation);
      const fields = { ...toCamelCase(wanted), isActive: !inactive };
      const policy = await createPolicy(platform, PERSONAL_DATA, fields, actor());
      print(options.json, toPolicyRecord(policy), `Policy ${policy.id}: ${policy.name}.`);
    }),
  );

  command(retention, 'run', 'run the active policies')
    .option('--dry-run', 'only count the records; change nothing')
    .option('--policy <id>', 'run one policy only', wholeNumber(1, 999_999_999))
    .action(({ json, dryRun = false, policy: policyId }) =>
      withPlatform(currentConfig(), async (platform) => {
        const answer = toRunAnswer(
          await runWithProgress(platform, { dryRun, policyId, startedBy: actor() }),
        );
        const rows = answer.results.map((result) => [
          result.policy_name,
          result.data_category,
          result.action,
          result.records_affected,
          result.records_held,
        ]);
        const headings = ['policy', 'category', 'action', 'records', 'held'];
        const records = answer.total_affected === 1 ? 'record' : 'records';
        const changed = `${answer.total_affected} ${records} ${dryRun ? 'would be changed' : 'changed'}.`;
        const isInactive = policyId !== undefined && rows.length === 0;
        const summary = isInactive ? `Policy ${policyId} is inactive: it does not run.` : changed;
        print(json, answer, rows.length > 0 ? `${table(headings, rows)}\n\n${summary}` : summary);
        const failed = answer.results.filter(({ error }) => error !== null);
        const [first] = failed;
        if (first)
          throw new CliError(`${failed.length} failed. ${first.policy_name}: ${first.error}`);
      }),
    );
}

const formatPeriod = (value: number, unit: PeriodUnit): string =>
  `${value} ${value === 1 ? unit.slice(0, -1) : unit}`;

/** Shows the progress of a real run on a terminal. */
async function runWithProgress(platform: Platform, request: RunRequest) {
  const scope = { personalData: PERSONAL_DATA, timeZone: currentConfig().timeZone };
  if (request.dryRun || !process.stderr.isTTY) return runRetention(platform, scope, request);
  const { outcomes } = await runRetention(platform, scope, { ...request, dryRun: true });
  const bar = await progressBar(sumRecords(outcomes), 'records');
  try {
    const onProgress = (records: number) => bar?.increment(records);
    return await runRetention(platform, scope, { ...request, onProgress });
  } finally {
    bar?.stop();
  }
}
