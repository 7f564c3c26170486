import { Group, Stack } from '@mantine/core';
import { IconPackage, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Allowed } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { formatMoment, formatNumber, formatShare, toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { NoLicences } from '../licences/no-licences.tsx';
import { productQuery } from '../products/queries.ts';
import { type Release, releasesQuery } from './queries.ts';
import { ReleaseKeys } from './release-keys.tsx';

const route = getRouteApi('/app/products/$slug/releases');

/** The releases and the release keys of a product. */
export function Releases() {
  const { slug } = route.useParams();
  const product = useQuery(productQuery(slug));
  const releases = useQuery(releasesQuery(slug));
  return (
    <Page
      title="Releases"
      intro="Sites with an activated licence of this product are offered these as updates."
      back={{ to: '/products/$slug', params: { slug }, label: product.data?.name ?? 'Product' }}
      actions={
        <Allowed>
          <LinkButton
            to="/products/$slug/releases/new"
            params={{ slug }}
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            Publish a release
          </LinkButton>
        </Allowed>
      }
    >
      <Stack>
        <QueryResult query={releases} lines={8} absent={<NoLicences />}>
          {(rows) => <ReleaseTable slug={slug} releases={rows} />}
        </QueryResult>
        <ReleaseKeys slug={slug} />
      </Stack>
    </Page>
  );
}

const describeRollout = ({ security, rollout_percent }: Release): string =>
  security ? 'All sites' : formatShare(rollout_percent / 100);

function ReleaseTable({ slug, releases }: { slug: string; releases: readonly Release[] }) {
  if (releases.length === 0)
    return (
      <EmptyState icon={IconPackage} title="No releases">
        Add the public half of your release key, sign the ZIP of your plugin, and publish it here.
      </EmptyState>
    );
  return (
    <DataTable
      label="Releases"
      rows={releases}
      getKey={({ id }) => id}
      columns={[
        {
          title: 'Version',
          cell: ({ id, version, security, yanked_at }) => (
            <Group gap="xs">
              <Link to="/products/$slug/releases/$id" params={{ slug, id: String(id) }}>
                {version}
              </Link>
              {security && <StatusBadge tone="warn">Security</StatusBadge>}
              {yanked_at !== null && <StatusBadge tone="bad">Yanked</StatusBadge>}
            </Group>
          ),
        },
        { title: 'Channel', cell: ({ channel }) => toLabel(channel) },
        { title: 'Roll-out', align: 'end', cell: describeRollout },
        { title: 'Published', cell: ({ published_at }) => formatMoment(published_at) },
        { title: 'Downloads', align: 'end', cell: ({ downloads }) => formatNumber(downloads) },
      ]}
    />
  );
}
