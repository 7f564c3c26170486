import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { getTagged, putTagged, type Tagged } from '../../api/client.ts';
import { queryClient, sessionQuery, taggedSettingsQuery } from '../../api/queries.ts';
import type { Settings, SettingsImport } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { saveDraft } from '../../components/drafts.ts';
import { SelectFilter } from '../../components/filters.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, toLabel } from '../../components/format.ts';
import { notifySuccess } from '../../components/notify.ts';
import { TextLink } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { DataTable } from '../../components/table.tsx';
import { TablePagination } from '../../components/table-pagination.tsx';
import { getSettingLabel } from './setting-labels.ts';
import { isTextChange, toTextsOnly } from './texts-only.ts';

const route = getRouteApi('/app/banner/import');
const PER_PAGE = 50;

type Line = SettingsImport['report'][number];
const TONES: Record<Line['outcome'], Tone> = {
  imported: 'good',
  changed: 'warn',
  ignored: 'neutral',
  rejected: 'bad',
};
const needsAttention = ({ outcome }: Line): boolean =>
  outcome === 'changed' || outcome === 'rejected';

/** What an import would change, with the actions. */
export function ImportReport({ report }: { report: Tagged<SettingsImport> }) {
  const canChooseAll = useCan('manage_options');
  const { counts, notes, changes: all, proposals, asks_again_because } = report.value;
  const changes = canChooseAll ? all : all.filter(isTextChange);
  const reasons = asks_again_because.filter((reason) => canChooseAll || reason === 'texts');
  return (
    <Stack component="section">
      <Title order={2} aria-live="polite">
        {counts.imported} imported, {counts.changed} changed, {counts.ignored} ignored,{' '}
        {counts.rejected} rejected
      </Title>
      <Text>
        {changes.length === 0
          ? `The import changes nothing. The banner already has these ${all.length === 0 ? 'settings' : 'texts'}.`
          : `The import changes ${formatCount(changes.length, 'setting')}. ${
              reasons.length > 0
                ? `Visitors are asked again, because of: ${reasons.join(', ')}.`
                : 'Visitors are not asked again.'
            }`}
      </Text>
      {changes.length < all.length && (
        <Text>
          Your role changes texts, languages and translations only. Everything else in the file,
          such as categories, position and consent lifetime, is left out. Administrators can import
          it.
        </Text>
      )}
      {notes.length > 0 && (
        <Alert color="yellow" title="Check before you publish">
          <List>
            {notes.map((note) => (
              <List.Item key={note} className="break">
                {note}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {changes.length > 0 && <Actions report={report} />}
      <Lines lines={report.value.report} />
      {proposals.length > 0 && <Proposals proposals={proposals} />}
    </Stack>
  );
}

function Actions({ report: { value, etag } }: { report: Tagged<SettingsImport> }) {
  const login = useQuery(sessionQuery).data?.user.login ?? '';
  const navigate = useNavigate();
  const canChooseAll = useCan('manage_options');
  const readSettings = async () => {
    const settings = await getTagged<Settings>('/settings');
    if (settings.etag !== etag) throw new Error(CHANGED);
    return settings;
  };
  const getUpdate = ({ value: { consent } }: Tagged<Settings>) =>
    canChooseAll ? value.update.consent : toTextsOnly(value.update.consent ?? {}, consent);
  const publishing = useChange({
    async change() {
      const consent = getUpdate(await readSettings());
      return putTagged<Settings>('/settings', { consent }, etag);
    },
    stale: [['consent-versions']],
    done: 'Published. Visitors see this version from now on.',
    onDone(saved) {
      queryClient.setQueryData(taggedSettingsQuery.queryKey, saved);
      void navigate({ to: '/banner' });
    },
  });
  const editing = useChange({
    change: readSettings,
    stale: [],
    onDone(settings) {
      const base = settings.value.consent;
      const values = { ...base, ...getUpdate(settings) };
      queryClient.setQueryData(taggedSettingsQuery.queryKey, settings);
      saveDraft(login, 'consent', { base, etag, values });
      notifySuccess('The imported settings are in the form. Nothing is published yet.');
      void navigate({ to: '/banner' });
    },
  });
  return (
    <Group gap="sm">
      <Button loading={editing.isPending} onClick={() => editing.mutate(undefined)}>
        Edit before publishing
      </Button>
      <Button
        variant="default"
        loading={publishing.isPending}
        onClick={() => publishing.mutate(undefined)}
      >
        Publish now
      </Button>
    </Group>
  );
}

const CHANGED = 'The settings have changed since you checked the file. Check it again.';

function Lines({ lines }: { lines: readonly Line[] }) {
  const { show = 'attention', page: asked = '1' } = route.useSearch();
  const shown = lines.filter(
    (line) =>
      show === 'all' || (show === 'attention' ? needsAttention(line) : line.outcome === show),
  );
  const page = Number(asked);
  const rows = shown
    .map((line, at) => ({ ...line, at }))
    .slice((page - 1) * PER_PAGE, page * PER_PAGE);
  return (
    <Stack gap="sm">
      <Group component="search" align="flex-end">
        <SelectFilter
          name="show"
          label="Lines of the file"
          value={show === 'attention' ? undefined : show}
          all="Needs attention"
          options={[
            { value: 'all', label: 'All' },
            ...Object.keys(TONES).map((outcome) => ({ value: outcome, label: toLabel(outcome) })),
          ]}
        />
      </Group>
      {rows.length > 0 && (
        <DataTable
          label="Lines of the file"
          rows={rows}
          getKey={({ at }) => at}
          columns={[
            { title: 'Line', cell: ({ source }) => <span className="break">{source}</span> },
            {
              title: 'Result',
              cell: ({ outcome }) => (
                <StatusBadge tone={TONES[outcome]}>{toLabel(outcome)}</StatusBadge>
              ),
            },
            {
              title: 'Setting',
              cell: ({ field }) => (field ? toSettingLabel(field) : '–'),
            },
            {
              title: 'Value',
              cell: ({ value }) => (
                <Text component="span" inherit lineClamp={3} className="break">
                  {value ?? '–'}
                </Text>
              ),
            },
            { title: 'Reason', cell: ({ reason }) => reason ?? 'As in the file' },
          ]}
        />
      )}
      <TablePagination page={page} perPage={PER_PAGE} total={shown.length} noun="line" />
    </Stack>
  );
}

/** For example `consent.translations[de].title`. */
const toSettingLabel = (field: string): string =>
  getSettingLabel(field.split(/[.[\]]+/).filter((step, at) => step !== '' && at > 0));

function Proposals({ proposals }: { proposals: SettingsImport['proposals'] }) {
  return (
    <Section title="Scripts, cookies and services in the file">
      <Text>
        They are not added. Add scripts under <TextLink to="/scripts">Scripts</TextLink>, and
        vendors that you use to the <TextLink to="/data-map">data map</TextLink>.
      </Text>
      <DataTable
        label="Scripts, cookies and services"
        rows={proposals}
        getKey={({ kind, source, name }) => `${kind} ${source} ${name}`}
        columns={[
          { title: 'Kind', cell: ({ kind }) => toLabel(kind) },
          {
            title: 'Name',
            cell: ({ name, script_url }) => (
              <span className="break">{script_url ? `${name}: ${script_url}` : name}</span>
            ),
          },
          { title: 'Category', cell: ({ category }) => category ?? 'Not stated' },
          { title: 'Known vendor', cell: ({ vendor }) => vendor ?? '–' },
        ]}
      />
    </Section>
  );
}
