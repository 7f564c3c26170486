import {
  Button,
  Card,
  Fieldset,
  FileInput,
  Group,
  NativeSelect,
  Progress,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ApiError, write } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import { formatCount, toLabel } from '../../components/format.ts';
import { explainError, notifyError } from '../../components/notify.ts';
import { Page, TextLink } from '../../components/page.tsx';
import { saveCsv } from '../../components/save-csv.ts';
import { DataTable } from '../../components/table.tsx';
import { mayLeave, useUnsaved } from '../../components/unsaved.tsx';
import { productsQuery } from '../products/queries.ts';
import { ADMIN_PATH, type ImportReport, STALE, toEndOfDay } from './queries.ts';
import { splitFile } from './split-file.ts';

type Line = ImportReport['lines'][number];

const FORMATS = [
  { value: 'csv', label: 'CSV with our columns' },
  { value: 'json', label: 'JSON with our columns' },
  { value: 'edd', label: 'EDD Software Licensing (CSV export)' },
  { value: 'lemon-squeezy', label: 'Lemon Squeezy (API, JSON or CSV)' },
];
const OWN_COLUMNS =
  'Columns: external_id, old_key, email, product, tier, mode, status, sites_allowed, expires_at, issued_at, sites, notes. Each line needs external_id or old_key.';
const ACTIONS = ['created', 'updated', 'unchanged', 'conflict', 'invalid'] as const;
/** More rows slow the page down. The downloaded report has all of them. */
const ROWS_SHOWN = 200;

/** Imports licences of another system, after a dry run. */
export function ImportLicences() {
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState('csv');
  const [slug, setSlug] = useState('');
  const [tier, setTier] = useState('');
  const [plans, setPlans] = useState('');
  const [day, setDay] = useState('');
  const [isNotified, setNotified] = useState(false);
  /** Of each part of the file, so far. */
  const [reports, setReports] = useState<ImportReport[]>([]);
  const [partCount, setPartCount] = useState(1);
  /** What to add to the line numbers of the part that is being sent. */
  const offsetOfPart = useRef(0);
  const [progress, setProgress] = useState(0);
  const [refusal, setRefusal] = useState<string>();
  const { data: products = [] } = useQuery(productsQuery);
  const product = products.find((each) => each.slug === slug) ?? products[0];
  const importing = useChange({
    async change(isDryRun: boolean) {
      const options = {
        format,
        dry_run: isDryRun,
        product: product?.slug,
        ...(tier && { tier }),
        ...(plans.trim() && { plans: readPlans(plans) }),
        ...(day && { exchange_until: toEndOfDay(day) }),
        notify: isNotified,
      };
      setProgress(0);
      setRefusal(undefined);
      const parts = splitFile((await file?.text()) ?? '');
      setPartCount(parts.length);
      let done = isInterrupted ? reports : [];
      for (const { content, offset } of parts.slice(done.length)) {
        offsetOfPart.current = offset;
        const body = { ...options, content };
        const part = await write<ImportReport>('POST', `${ADMIN_PATH}/import`, body);
        const lines = part.lines.map((each) => ({ ...each, line: each.line + offset }));
        done = [...done, { ...part, lines }];
        setProgress((100 * done.length) / parts.length);
        // If a later part fails, the keys of this one are still there.
        setReports(done);
      }
    },
    stale: STALE,
    onFailed(error) {
      const isRefused = error instanceof ApiError && Object.keys(error.params).length > 0;
      if (isRefused) setRefusal(shiftLine(explainError(error), offsetOfPart.current));
      else notifyError(error);
    },
  });
  const report = useMemo(() => (reports.length > 0 ? mergeReports(reports) : undefined), [reports]);
  /** Parts are checked by themselves: what a dry run counts in two of them is imported once. */
  const isInParts = partCount > 1;
  const hasAllParts = reports.length === partCount;
  const isChecked = report?.dry_run === true && hasAllParts && report.created + report.updated > 0;
  const isDone = report?.dry_run === false && importing.isSuccess;
  const isInterrupted = report?.dry_run === false && importing.isError;
  /** Discards the dry run, because the input has changed. */
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setReports([]);
      setRefusal(undefined);
    };
  const startOver = async () => {
    if (await mayLeave()) change(setFile)(null);
  };
  const getLabel = () => {
    if (isInterrupted) return 'Continue import';
    if (!isChecked) return 'Check the file';
    return `Import ${isInParts ? 'up to ' : ''}${formatCount(report.created + report.updated, 'licence')}`;
  };
  const isOwn = format === 'csv' || format === 'json';
  return (
    <Page
      title="Import licences"
      intro="From another system, with the keys that your customers have. You can import the same file again: licences that are here already are recognised."
      back={{ to: '/licences', label: 'Licences' }}
    >
      <Stack>
        {!isDone && (
          <Card
            component="form"
            maw="44rem"
            onSubmit={(event) => {
              event.preventDefault();
              importing.mutate(!isChecked && !isInterrupted);
            }}
          >
            <Stack>
              <Fieldset variant="unstyled" disabled={importing.isPending || isInterrupted}>
                <Stack>
                  <NativeSelect
                    label="Format"
                    description={isOwn ? OWN_COLUMNS : undefined}
                    data={FORMATS}
                    value={format}
                    onChange={({ currentTarget }) => change(setFormat)(currentTarget.value)}
                  />
                  <FileInput
                    label="File"
                    accept=".csv,.json,text/csv,application/json"
                    withAsterisk
                    value={file}
                    error={refusal}
                    onChange={change(setFile)}
                  />
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    <NativeSelect
                      label="Product"
                      description="For lines without a product"
                      data={products.map(({ slug: value, name }) => ({ value, label: name }))}
                      value={product?.slug ?? ''}
                      onChange={({ currentTarget }) => {
                        change(setSlug)(currentTarget.value);
                        setTier('');
                      }}
                    />
                    <NativeSelect
                      label="Tier"
                      description="For lines without a tier"
                      data={[
                        { value: '', label: 'None' },
                        ...(product?.plans.map(({ tier: value, label }) => ({ value, label })) ??
                          []),
                      ]}
                      value={tier}
                      onChange={({ currentTarget }) => change(setTier)(currentTarget.value)}
                    />
                  </SimpleGrid>
                  {!isOwn && (
                    <Textarea
                      label="Plans"
                      description={
                        format === 'edd'
                          ? 'One line for each product: its name, or name and price ID, and the plan here'
                          : 'One line for each product: its product_id, and the plan here'
                      }
                      placeholder={
                        format === 'edd'
                          ? 'Forms Pro:2=forms-pro/studio\nForms Pro=forms-pro/solo'
                          : '1234=forms-pro/studio'
                      }
                      minRows={2}
                      maxRows={8}
                      value={plans}
                      onChange={({ currentTarget }) => change(setPlans)(currentTarget.value)}
                    />
                  )}
                  <TextInput
                    type="date"
                    label="Old keys can be exchanged until"
                    description="Default: a year from now (UTC)"
                    value={day}
                    onChange={({ currentTarget }) => change(setDay)(currentTarget.value)}
                  />
                  <Switch
                    label="Email the new keys to the customers"
                    description="Not needed for sites that exchange their old key"
                    checked={isNotified}
                    onChange={({ currentTarget }) => change(setNotified)(currentTarget.checked)}
                  />
                </Stack>
              </Fieldset>
              {importing.isError && report && !hasAllParts && (
                <Text>
                  {report.dry_run
                    ? 'The check stopped before the end of the file. Check the file again.'
                    : 'The import stopped before the end of the file. Continue to import the rest.'}
                </Text>
              )}
              <Group gap="sm">
                <Button type="submit" loading={importing.isPending} disabled={!file}>
                  {getLabel()}
                </Button>
                {isInterrupted && <StartOver onClick={startOver} />}
              </Group>
              {importing.isPending && <Progress value={progress} aria-label="Progress" />}
            </Stack>
          </Card>
        )}
        {report && <Report report={report} isInParts={isInParts} />}
        {isDone && (
          <Group>
            <StartOver onClick={startOver} />
          </Group>
        )}
      </Stack>
    </Page>
  );
}

const StartOver = ({ onClick }: { onClick: () => void }) => (
  <Button variant="default" onClick={onClick}>
    Import another file
  </Button>
);

function Report({ report, isInParts }: { report: ImportReport; isInParts: boolean }) {
  const [action, setAction] = useState('');
  const [saved, setSaved] = useState<ImportReport>();
  const matching = report.lines.filter((line) => !action || line.action === action);
  const hasKeys = report.lines.some(({ licence_key }) => licence_key);
  useUnsaved({ isDirty: () => hasKeys && saved !== report });
  return (
    <Stack component="section">
      <Title order={2} aria-live="polite">
        {getTitle(report, isInParts)}
      </Title>
      {report.dry_run && isInParts && report.created + report.updated > 0 && (
        <Text>
          This large file was checked in parts. If lines of two parts have the same licence or old
          key, fewer licences are imported.
        </Text>
      )}
      {hasKeys && <Text>The keys are shown once. Save the report now.</Text>}
      <Group gap="sm" align="end">
        <NativeSelect
          label="Result"
          data={[
            { value: '', label: `All (${report.lines.length})` },
            ...ACTIONS.map((value) => ({
              value,
              label: `${toLabel(value)} (${report.lines.filter((line) => line.action === value).length})`,
            })),
          ]}
          value={action}
          onChange={({ currentTarget }) => setAction(currentTarget.value)}
        />
        <Button
          variant="default"
          onClick={() => {
            saveReport(report);
            setSaved(report);
          }}
        >
          Save report as CSV
        </Button>
      </Group>
      {matching.length > ROWS_SHOWN && (
        <Text c="dimmed">
          The first {ROWS_SHOWN} of {matching.length} lines. The saved report has all.
        </Text>
      )}
      <DataTable
        label="Lines"
        rows={matching.slice(0, ROWS_SHOWN)}
        getKey={({ line }) => line}
        columns={[
          { title: 'Line', cell: ({ line }) => <span className="number">{line}</span> },
          { title: 'Result', cell: ({ action: done }) => toLabel(done) },
          { title: 'Customer', cell: ({ email }) => <span className="break">{email}</span> },
          {
            title: 'Licence',
            cell: ({ id }) =>
              id && (
                <TextLink to="/licences/$id" params={{ id }}>
                  {id}
                </TextLink>
              ),
          },
          { title: 'Details', cell: (line) => <Details line={line} /> },
        ]}
      />
    </Stack>
  );
}

const Details = ({ line: { reason, licence_key } }: { line: Line }) => (
  <>
    {licence_key && <span className="mono break">{licence_key}</span>} {reason}
  </>
);

function getTitle({ dry_run, created, updated, lines }: ImportReport, isInParts: boolean): string {
  const done = created + updated;
  if (done === 0 && lines.every(({ action }) => action === 'unchanged'))
    return 'All licences are here already';
  return dry_run
    ? `${isInParts ? 'Up to ' : ''}${formatCount(done, 'licence')} can be imported`
    : `${formatCount(done, 'licence')} imported`;
}

const saveReport = ({ lines }: ImportReport): void =>
  saveCsv(
    'licence-import.csv',
    ['line', 'result', 'email', 'id', 'reason', 'licence_key'],
    lines.map(({ line, action, email, id, reason, licence_key }) => [
      line,
      action,
      email,
      id,
      reason,
      licence_key,
    ]),
  );

function mergeReports(reports: readonly ImportReport[]): ImportReport {
  const sum = (name: 'created' | 'updated' | 'unchanged' | 'conflicts' | 'invalid') =>
    reports.reduce((total, report) => total + report[name], 0);
  return {
    dry_run: reports[0]?.dry_run ?? true,
    created: sum('created'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    conflicts: sum('conflicts'),
    invalid: sum('invalid'),
    lines: reports.flatMap(({ lines }) => lines),
  };
}

/** The reason why a part of a file was refused, with the number of the line in the whole file. */
const shiftLine = (reason: string, offset: number): string =>
  reason.replace(/^Line (\d+)/, (_, line) => `Line ${Number(line) + offset}`);

/** Parses lines of `NAME=[PRODUCT/]TIER`. */
const readPlans = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = line, product, tier = ''] =
        /^(.+)=(?:([^/=]+)\/)?([^/=]+)$/.exec(line.trim()) ?? [];
      return { name: name.trim(), ...(product && { product: product.trim() }), tier: tier.trim() };
    });
