import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { type Fact, Facts } from '../../components/facts.tsx';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { formatCount, formatMoment, formatUtcDay, toLabel } from '../../components/format.ts';
import { Page, TextLink } from '../../components/page.tsx';
import { Secret } from '../../components/secret.tsx';
import { QueryResult } from '../../components/states.tsx';
import { ActivityTimeline } from '../../components/timeline.tsx';
import { productsQuery } from '../products/queries.ts';
import { LicenceActions } from './actions.tsx';
import { CustomerCard } from './customer.tsx';
import { FORMATTERS } from './history.ts';
import { NoLicences } from './no-licences.tsx';
import {
  ADMIN_PATH,
  CAUSES,
  DELETED_CUSTOMER,
  type KeyShown,
  type LicenceDetail,
  licenceQuery,
  NEVER,
  STALE,
  STATUS_TONES,
} from './queries.ts';

const route = getRouteApi('/app/licences/$id');
const HOUR_MS = 3_600_000;

/** One licence: its details, sites, actions and activity. */
export function LicenceScreen() {
  const { id } = route.useParams();
  const licence = useQuery(licenceQuery(id));
  const [rerolled, setRerolled] = useState<KeyShown>();
  return (
    <Page
      title={licence.data ? (licence.data.email ?? DELETED_CUSTOMER) : 'Licence'}
      {...(licence.data && { intro: <span className="mono">{licence.data.key}</span> })}
      back={{ to: '/licences', label: 'Licences' }}
    >
      <QueryResult query={licence} lines={10} absent={<NoLicences />}>
        {(data) => (
          <div className="wide-narrow">
            <Stack>
              {rerolled && <Secret label="New licence key" value={rerolled.licence_key} />}
              <Details licence={data} />
              <Sites licence={data} />
              <Card component="section">
                <Title order={2}>Activity</Title>
                <ActivityTimeline events={data.events.toReversed()} formatters={FORMATTERS} />
              </Card>
            </Stack>
            <Stack>
              <LicenceActions licence={data} onRerolled={setRerolled} />
              <CustomerCard licenceId={data.id} />
            </Stack>
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

function Details({ licence }: { licence: LicenceDetail }) {
  const { data: products } = useQuery(productsQuery);
  return (
    <Card component="section">
      <Title order={2}>Details</Title>
      <Facts
        items={[
          [
            'Status',
            <Group key="status" gap={5}>
              <StatusBadge tone={STATUS_TONES[licence.status]}>
                {toLabel(licence.status)}
              </StatusBadge>
              {licence.mode === 'test' && <StatusBadge tone="info">Test</StatusBadge>}
              {licence.trial && <StatusBadge tone="info">Trial</StatusBadge>}
            </Group>,
          ],
          ...licence.restrictions.map(
            ({ effect, cause, since, actor }): Fact => [
              toLabel(effect),
              `${CAUSES[cause]}${cause === 'manual' ? ` by ${actor}` : ''}, since ${formatMoment(since)}`,
            ],
          ),
          [
            'Customer',
            <TextLink
              key="customer"
              to="/customers/$id"
              params={{ id: String(licence.customer_id) }}
            >
              {licence.email ?? DELETED_CUSTOMER}
            </TextLink>,
          ],
          [
            'Product',
            <TextLink key="product" to="/products/$slug" params={{ slug: licence.product }}>
              {products?.find(({ slug }) => slug === licence.product)?.name ?? licence.product}
            </TextLink>,
          ],
          ['Tier', licence.plan],
          [
            'Features',
            <span key="features" className="break">
              {licence.features.join(', ') || 'None'}
            </span>,
          ],
          ['Added to the plan', licence.features_added.join(', ')],
          ['Removed from the plan', licence.features_removed.join(', ')],
          [
            'Expires',
            <>
              {licence.expires_at === NEVER ? 'Never' : `${formatUtcDay(licence.expires_at)} (UTC)`}
              {licence.grace_days > 0 &&
                (licence.paid_until === licence.expires_at
                  ? `, then a grace period of ${formatCount(licence.grace_days, 'day')}`
                  : ', the end of the grace period')}
            </>,
          ],
          [
            'Paid until',
            licence.paid_until !== licence.expires_at &&
              `${formatUtcDay(licence.paid_until)} (UTC)`,
          ],
          ['Previous key', formatOverlap(licence.events)],
          ['Issued', formatMoment(licence.issued_at)],
          [
            'Development sites',
            licence.development_sites_free ? 'Not counted' : 'Counted like other sites',
          ],
          ['Notes', licence.notes],
          [
            'ID',
            <span key="id" className="mono">
              {licence.id}
            </span>,
          ],
        ]}
      />
    </Card>
  );
}

/** Until when the key before the latest rotation works; undefined once it does not. */
function formatOverlap(events: LicenceDetail['events']): string | undefined {
  const { at, details } = events.findLast(({ action }) => action === 'rerolled') ?? {};
  if (!at) return undefined;
  const end = Date.parse(at) + Number(details?.overlap_hours ?? 0) * HOUR_MS;
  return end > Date.now()
    ? `Works like the current key until ${formatMoment(new Date(end).toISOString())}`
    : undefined;
}

function Sites({ licence }: { licence: LicenceDetail }) {
  const { activations, sites_used, sites_allowed } = licence;
  const inUse = activations.filter(({ deactivated_at }) => deactivated_at === null);
  const past = activations.filter(({ deactivated_at }) => deactivated_at !== null);
  return (
    <Card component="section">
      <Title order={2}>
        Sites: {sites_used} of {sites_allowed} activations in use
      </Title>
      {licence.notice && (
        <Alert color="yellow" mb="sm">
          {licence.notice}
        </Alert>
      )}
      {activations.length === 0 && <Text c="dimmed">No site has been activated.</Text>}
      <ul role="list" className="plain">
        {inUse.map((each) => (
          <Site key={each.id} licenceId={licence.id} activation={each} />
        ))}
        {past.toReversed().map((each) => (
          <li key={each.id}>
            <Text component="div" c="dimmed">
              <span className="break">{each.site_url}</span>
              <br />
              <Text span size="sm">
                {formatMoment(each.activated_at)} to {formatMoment(each.deactivated_at)}
              </Text>
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Site({
  licenceId,
  activation: { id, site_url, activated_at },
}: {
  licenceId: string;
  activation: LicenceDetail['activations'][number];
}) {
  const releasing = useChange({
    change: () => write('POST', `${ADMIN_PATH}/${licenceId}/release`, { activation_id: id }),
    stale: STALE,
    done: `${site_url} was deactivated.`,
  });
  return (
    <Group component="li" justify="space-between" py="xs" wrap="nowrap">
      <div>
        <Text fw={600} className="break">
          {site_url}
        </Text>
        <Text span size="sm" c="dimmed">
          Since {formatMoment(activated_at)}
        </Text>
      </div>
      <ConfirmButton
        title="Deactivate this site?"
        text={`${site_url} stops validating with its next check. The activation is free again, and the site can be activated anew.`}
        confirm="Deactivate"
        isBusy={releasing.isPending}
        onConfirm={() => releasing.mutate(undefined)}
        button={(open) => (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Deactivate ${site_url}`}
            onClick={open}
          >
            Deactivate
          </Button>
        )}
      />
    </Group>
  );
}
