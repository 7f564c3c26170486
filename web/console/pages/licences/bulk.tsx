import {
  Button,
  Card,
  Fieldset,
  FileInput,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createIdempotencyKey, postOnce } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import { formatCount, formatUtcDay, toLabel } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { REQUIRED, useMissing } from '../../components/required.ts';
import { saveCsv } from '../../components/save-csv.ts';
import { DataTable } from '../../components/table.tsx';
import { useUnsaved } from '../../components/unsaved.tsx';
import { chooseOnSale, fetchOnSale, productsQuery, toPlanChoices } from '../products/queries.ts';
import { ADMIN_PATH, type BulkReport, NEVER, STALE, toEndOfDay } from './queries.ts';

/** Issues many licences from a table, after a dry run. */
export function BulkLicences() {
  const [csv, setCsv] = useState('');
  const [slug, setSlug] = useState('');
  const [tier, setTier] = useState('');
  const { data: all = [] } = useQuery(productsQuery);
  const { products, product, plan } = chooseOnSale(all, { product: slug, tier });
  const [day, setDay] = useState('');
  const [isMailed, setMailed] = useState(true);
  const [report, setReport] = useState<BulkReport>();
  const [isSaved, setSaved] = useState(false);
  // If the response is lost, the same table issues no licence twice.
  const [idempotencyKey] = useState(createIdempotencyKey);
  const missing = useMissing();
  const issuing = useChange({
    async change(isDryRun: boolean) {
      const chosen = await fetchOnSale({ product: slug, tier });
      const body = {
        csv,
        product: chosen.product?.slug,
        tier: chosen.plan?.tier,
        ...(day && { expires_at: toEndOfDay(day) }),
        mail: isMailed,
        dry_run: isDryRun,
      };
      return postOnce<BulkReport>(`${ADMIN_PATH}/bulk`, body, idempotencyKey);
    },
    stale: STALE,
    onDone: setReport,
  });
  const isChecked = report?.dry_run === true && report.failed === 0;
  const isIssued = report !== undefined && report.issued > 0;
  useUnsaved({ isDirty: () => (isIssued ? !isSaved : csv.trim() !== '') });
  /** Discards the dry run, because the input has changed. */
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setReport(undefined);
    };
  return (
    <Page
      title="Issue licences in bulk"
      intro="From a CSV table with one licence per line. If a line is invalid, no licence is issued."
      back={{ to: '/licences', label: 'Licences' }}
    >
      <Stack>
        {!isIssued && (
          <Card
            component="form"
            maw="44rem"
            onSubmit={(event) => {
              event.preventDefault();
              if (missing.isMissing(csv)) return;
              issuing.mutate(!isChecked);
            }}
          >
            <Stack>
              <Fieldset variant="unstyled" disabled={issuing.isPending}>
                <Stack>
                  <FileInput
                    label="CSV file"
                    accept=".csv,text/csv"
                    onChange={async (file) => change(setCsv)((await file?.text()) ?? '')}
                  />
                  <Textarea
                    label="Table"
                    description="The first line names columns: email, product, tier, expires_at or days, mode, sites_allowed, grace_days, development_sites_free, notes, mail"
                    placeholder={'email,sites_allowed\nada@example.com,3'}
                    {...REQUIRED}
                    error={missing.getError(csv, 'Enter a table or choose a file.')}
                    minRows={4}
                    maxRows={16}
                    value={csv}
                    onChange={({ currentTarget }) => change(setCsv)(currentTarget.value)}
                  />
                  {products.length > 1 && (
                    <NativeSelect
                      label="Product"
                      description="For lines without a product"
                      data={products.map(({ slug: value, name }) => ({ value, label: name }))}
                      value={product?.slug ?? ''}
                      onChange={({ currentTarget }) => change(setSlug)(currentTarget.value)}
                    />
                  )}
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    <NativeSelect
                      label="Tier"
                      description="For lines without a tier"
                      data={product ? toPlanChoices(product) : []}
                      value={plan?.tier ?? ''}
                      onChange={({ currentTarget }) => change(setTier)(currentTarget.value)}
                    />
                    <TextInput
                      type="date"
                      label="Last day"
                      description="For lines without expires_at or days (UTC)"
                      value={day}
                      onChange={({ currentTarget }) => change(setDay)(currentTarget.value)}
                    />
                  </SimpleGrid>
                  <Switch
                    label="Email the keys to the customers"
                    checked={isMailed}
                    onChange={({ currentTarget }) => change(setMailed)(currentTarget.checked)}
                  />
                </Stack>
              </Fieldset>
              <Group gap="sm">
                <Button type="submit" loading={issuing.isPending}>
                  {isChecked
                    ? `Issue ${formatCount(report.lines.length, 'licence')}`
                    : 'Check the table'}
                </Button>
              </Group>
            </Stack>
          </Card>
        )}
        {report && (
          <Stack component="section" aria-live="polite">
            <Title order={2}>{getTitle(report)}</Title>
            {isIssued && (
              <Group gap="sm">
                <Text>The keys are shown once. Save them now.</Text>
                <Button
                  variant="default"
                  onClick={() => {
                    saveKeys(report);
                    setSaved(true);
                  }}
                >
                  Save as CSV
                </Button>
              </Group>
            )}
            <DataTable
              label="Lines"
              rows={report.failed > 0 ? report.lines.filter(({ error }) => error) : report.lines}
              getKey={({ line }) => String(line)}
              columns={[
                { title: 'Line', cell: ({ line }) => <span className="number">{line}</span> },
                { title: 'Customer', cell: ({ email }) => <span className="break">{email}</span> },
                { title: 'Tier', cell: ({ tier: name }) => (name ? toLabel(name) : '') },
                { title: 'Sites', cell: ({ sites_allowed }) => sites_allowed },
                {
                  title: 'Expires',
                  cell: ({ expires_at }) =>
                    expires_at && (expires_at === NEVER ? 'Never' : formatUtcDay(expires_at)),
                },
                {
                  title: 'Result',
                  cell: ({ error, licence_key }) => (
                    <span className={licence_key ? 'mono break' : 'break'}>
                      {error ?? licence_key ?? 'Can be issued'}
                    </span>
                  ),
                },
              ]}
            />
          </Stack>
        )}
      </Stack>
    </Page>
  );
}

function getTitle({ issued, failed, lines }: BulkReport): string {
  if (issued > 0) return `${formatCount(issued, 'licence')} issued`;
  if (failed > 0) return `${formatCount(failed, 'line')} to correct: no licence issued`;
  return `${formatCount(lines.length, 'licence')} can be issued`;
}

const saveKeys = ({ lines }: BulkReport): void =>
  saveCsv(
    'licence-keys.csv',
    ['email', 'licence_key', 'id'],
    lines.map(({ email, licence_key, id }) => [email, licence_key, id]),
  );
