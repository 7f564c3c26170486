import {
  Card,
  DataList,
  Grid,
  Group,
  NativeSelect,
  Stack,
  Text,
  Timeline,
  Title,
} from '@mantine/core';
import { IconCookie } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { diffWordsWithSpace } from 'diff';
import { useState } from 'react';
import type { ConsentVersion } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatCount, formatMoment } from '../../components/format.ts';
import { Page, TextLink } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { BannerPictures } from './banner-pictures.tsx';
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
                  <Timeline role="list" active={all.length}>
                    {all.map((each) => (
                      <Timeline.Item key={each.version} role="listitem">
                        <TextLink
                          to="/banner/versions"
                          search={{ version: String(each.version) }}
                          activeProps={{}}
                          aria-current={each.version === shown.version ? 'true' : undefined}
                          fw={each.version === shown.version ? 650 : undefined}
                        >
                          Version {each.version}
                        </TextLink>{' '}
                        {askedAgain(all, each) && (
                          <StatusBadge tone="info">Asked again</StatusBadge>
                        )}
                        <Text size="sm" c="dimmed">
                          <time dateTime={each.created_at}>{formatMoment(each.created_at)}</time>
                        </Text>
                      </Timeline.Item>
                    ))}
                  </Timeline>
                </Card>
              </Grid.Col>
            </Grid>
          );
        }}
      </QueryResult>
    </Page>
  );
}

/** Whether a version asked visitors for consent again. The first version never does. */
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
        <Facts
          items={[
            ['Published', formatMoment(created_at)],
            [
              'Asked visitors again',
              asked_since < version
                ? `No. Choices made since version ${asked_since} stay valid.`
                : askedAgain(all, shown)
                  ? 'Yes'
                  : 'No. This is the first version.',
            ],
            ['Vendors that need consent', formatList(vendors?.map(({ name }) => name))],
            ['Purposes that need consent', formatList(purposes)],
            [
              'SHA-256',
              <span key="hash" className="mono">
                {hash}
              </span>,
            ],
          ]}
        />
        <BannerPreview consent={config} language={language} onLanguage={setLanguage} />
        <Title order={3} size="h5">
          Pictures
        </Title>
        <Text size="sm" c="dimmed">
          Taken by a browser on the server, on an empty page and without the styles of your site.
        </Text>
        <BannerPictures version={version} language={language} />
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
        <Text size="sm" c="dimmed" role="status">
          {formatCount(changes.length, 'change')}
        </Text>
        <DataList orientation="vertical" withDivider>
          {changes.map((each) => (
            <DataList.Item key={each.label}>
              <DataList.ItemLabel>{each.label}</DataList.ItemLabel>
              <DataList.ItemValue>
                <Difference change={each} />
              </DataList.ItemValue>
            </DataList.Item>
          ))}
        </DataList>
      </Stack>
    </Card>
  );
}

function Difference({ change: { before, after } }: { change: Change }) {
  return diffWordsWithSpace(before, after).map(({ value, added, removed }, index) => {
    if (!(added || removed)) return value;
    const tone = added ? 'good' : 'bad';
    return (
      <Text
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place
        key={index}
        component={added ? 'ins' : 'del'}
        inherit
        c={`var(--${tone})`}
        bg={`var(--${tone}-wash)`}
      >
        {value}
      </Text>
    );
  });
}
