import { Card, Grid, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconCookie } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { diffWordsWithSpace } from 'diff';
import { useState } from 'react';
import type { ConsentVersion } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { formatCount, formatMoment } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/table.tsx';
import { getFirstLanguage } from './banner-texts.ts';
import { BannerPreview } from './preview.tsx';
import { versionsQuery } from './queries.ts';
import { type Change, listChanges } from './version-diff.ts';

const route = getRouteApi('/app/banner/versions');

/** Every published version of the banner with its changes and a preview. */
export function Versions() {
  const { version } = route.useSearch();
  const versions = useQuery(versionsQuery);
  return (
    <Page
      title="Banner versions"
      intro="Each consent record links to the version that the visitor saw. Published versions never change."
      back={{ to: '/banner', label: 'Banner' }}
    >
      <QueryResult query={versions}>
        {(all) => {
          const shown = all.find((each) => String(each.version) === version) ?? all[0];
          if (!shown) {
            return (
              <EmptyState icon={IconCookie} title="No published versions yet">
                Visitors see the default banner. Consent records list it as version 0.
              </EmptyState>
            );
          }
          return (
            <Grid align="flex-start">
              <Grid.Col span={{ base: 12, md: 8 }}>
                <Stack>
                  <Comparison key={shown.version} all={all} shown={shown} />
                  <PublishedVersion key={`published-${shown.version}`} all={all} shown={shown} />
                </Stack>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 4 }}>
                <Card withBorder component="nav" aria-label="Versions">
                  <Title order={2} size="h4" mb="md">
                    All versions
                  </Title>
                  <ol className="timeline" reversed>
                    {all.map((each) => (
                      <li key={each.version}>
                        <Link
                          to="/banner/versions"
                          search={{ version: String(each.version) }}
                          activeProps={{}}
                          aria-current={each.version === shown.version ? 'true' : undefined}
                        >
                          Version {each.version}
                        </Link>{' '}
                        {askedAgain(all, each) && (
                          <StatusBadge tone="info">Asked again</StatusBadge>
                        )}
                        <br />
                        <time dateTime={each.created_at}>{formatMoment(each.created_at)}</time>
                      </li>
                    ))}
                  </ol>
                </Card>
              </Grid.Col>
            </Grid>
          );
        }}
      </QueryResult>
    </Page>
  );
}

/** Whether a version asked visitors for consent again; nobody had chosen before the first one. */
const askedAgain = (all: readonly ConsentVersion[], { version, asked_since }: ConsentVersion) =>
  asked_since === version && all.some((each) => each.version < version);

interface ShownVersion {
  /** Newest first. */
  all: readonly ConsentVersion[];
  shown: ConsentVersion;
}

function PublishedVersion({ all, shown }: ShownVersion) {
  const { version, created_at, hash, config, vendors, purposes, asked_since } = shown;
  const [language, setLanguage] = useState(getFirstLanguage(config));
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          Version {version} as published
        </Title>
        <dl className="facts">
          <dt>Published</dt>
          <dd>{formatMoment(created_at)}</dd>
          <dt>Asked visitors again</dt>
          <dd>
            {asked_since < version
              ? `No. Choices made since version ${asked_since} stay valid.`
              : askedAgain(all, shown)
                ? 'Yes'
                : 'No. This is the first version.'}
          </dd>
          <dt>Vendors that need consent</dt>
          <dd className="break lines">{formatList(vendors?.map(({ name }) => name))}</dd>
          <dt>Purposes that need consent</dt>
          <dd className="break lines">{formatList(purposes)}</dd>
          <dt>SHA-256</dt>
          <dd className="mono">{hash}</dd>
        </dl>
        <BannerPreview consent={config} language={language} onLanguage={setLanguage} />
      </Stack>
    </Card>
  );
}

const formatList = (items: readonly string[] | null | undefined): string =>
  items ? items.join('\n') || 'None' : 'Not recorded';

/** The changes of a version compared with the previous or another one. */
function Comparison({ all, shown }: ShownVersion) {
  const change = useUrlState();
  const { with: chosen } = route.useSearch();
  const others = all.filter(({ version }) => version !== shown.version);
  const other =
    others.find(({ version }) => String(version) === chosen) ??
    others.find(({ version }) => version < shown.version);
  if (!other) {
    return (
      <Card withBorder component="section">
        <Title order={2} size="h4" mb="sm">
          Changes in version {shown.version}
        </Title>
        <Text c="dimmed">This is the first version.</Text>
      </Card>
    );
  }
  const changes = listChanges(other, shown);
  return (
    <Card withBorder component="section">
      <Stack>
        <Group justify="space-between" align="flex-end">
          <Title order={2} size="h4">
            Changes in version {shown.version}
          </Title>
          <NativeSelect
            label="Compare with"
            value={String(other.version)}
            data={others.map(({ version }) => ({
              value: String(version),
              label: `Version ${version}`,
            }))}
            onChange={({ currentTarget }) => change({ with: currentTarget.value })}
          />
        </Group>
        <p className="soft small" role="status" style={{ margin: 0 }}>
          {formatCount(changes.length, 'change')}
        </p>
        <dl className="changes">
          {changes.map((each) => (
            <div key={each.label}>
              <dt>{each.label}</dt>
              <dd className="lines">
                <Difference change={each} />
              </dd>
            </div>
          ))}
        </dl>
      </Stack>
    </Card>
  );
}

function Difference({ change: { before, after } }: { change: Change }) {
  return diffWordsWithSpace(before, after).map(({ value, added, removed }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place
    if (removed) return <del key={index}>{value}</del>;
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    if (added) return <ins key={index}>{value}</ins>;
    return value;
  });
}
