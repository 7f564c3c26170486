import { Card, Group, SimpleGrid, Stack, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { write } from '../../api/client.ts';
import { StatusBadge } from '../../components/badges.tsx';
import {
  formatAmount,
  formatCount,
  formatDay,
  formatMoment,
  formatNumber,
  formatUtcDay,
  toLabel,
} from '../../components/format.ts';
import { KeyFigures } from '../../components/key-figures.tsx';
import { Page, TextLink } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { productsQuery } from '../products/queries.ts';
import { CustomerDeletion } from './customer.tsx';
import { NoLicences } from './no-licences.tsx';
import {
  ADMIN_PATH,
  type CustomerDeleted,
  type CustomerDetail,
  customerDetailQuery,
  DELETED_CUSTOMER,
  type Licence,
  NEVER,
  STATUS_TONES,
} from './queries.ts';

const route = getRouteApi('/app/customers/$id');

const formatEnd = (end: string | null): string => (end === NEVER ? 'Lifetime' : formatUtcDay(end));

/** One customer: licences, activated sites, purchases with their payments, and renewals. */
export function CustomerPage() {
  const { id } = route.useParams();
  const customer = useQuery(customerDetailQuery(id));
  return (
    <Page
      title={customer.data ? (customer.data.email ?? DELETED_CUSTOMER) : 'Customer'}
      {...(customer.data && { intro: `Customer since ${formatDay(customer.data.created_at)}` })}
      back={{ to: '/licences', label: 'Licences' }}
    >
      <QueryResult query={customer} lines={10} absent={<NoLicences />}>
        {(data) => (
          <Stack gap="lg">
            <CustomerFigures customer={data} />
            <section>
              <Title order={2} mb="sm">
                Licences
              </Title>
              <Licences customer={data} />
            </section>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <Purchases customer={data} />
              <Stack gap="lg">
                <Sites customer={data} />
                <Section title="Customer">
                  <CustomerDeletion
                    {...data}
                    remove={() => write<CustomerDeleted>('DELETE', `${ADMIN_PATH}/customers/${id}`)}
                  />
                </Section>
              </Stack>
            </SimpleGrid>
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

/** A subscription whose payment fails stays due. */
const describeRenewal = (due: string): string =>
  Date.parse(due) < Date.now() ? 'overdue, by subscription' : 'by subscription';

function CustomerFigures({ customer }: { customer: CustomerDetail }) {
  const { licences, sites, purchases, active_until } = customer;
  const active = licences.filter(({ status }) => status === 'active').length;
  const next = purchases
    .filter(({ renews, status }) => renews && status === 'paid')
    .map(({ paid_until }) => paid_until)
    .sort()[0];
  return (
    <KeyFigures
      items={[
        {
          label: 'Active licences',
          value: formatNumber(active),
          note: `of ${formatCount(licences.length, 'licence')}`,
        },
        { label: 'Activated sites', value: formatNumber(sites.length) },
        { label: 'Active until', value: active > 0 ? formatEnd(active_until) : '–' },
        {
          label: 'Next renewal',
          value: next ? formatEnd(next) : '–',
          note: next ? describeRenewal(next) : 'no subscription',
        },
      ]}
    />
  );
}

/** A licence by its masked key. */
function LicenceLink({ customer, id }: { customer: CustomerDetail; id: string }) {
  const licence = customer.licences.find((each) => each.id === id);
  return (
    <TextLink to="/licences/$id" params={{ id }} className="mono number">
      {licence?.key ?? id}
    </TextLink>
  );
}

function Licences({ customer }: { customer: CustomerDetail }) {
  const { data: products = [] } = useQuery(productsQuery);
  const nameProduct = ({ product }: Licence) =>
    products.find(({ slug }) => slug === product)?.name ?? product;
  return (
    <DataTable
      label="Licences"
      rows={customer.licences}
      getKey={({ id }) => id}
      columns={[
        {
          title: 'Key',
          cell: ({ id }) => <LicenceLink customer={customer} id={id} />,
        },
        ...(products.length > 1
          ? [{ title: 'Product', cell: nameProduct, sort: nameProduct }]
          : []),
        {
          title: 'Tier',
          cell: ({ plan, mode, trial }) => (
            <span className="number">
              {plan} {mode === 'test' && <StatusBadge tone="info">Test</StatusBadge>}{' '}
              {trial && <StatusBadge tone="info">Trial</StatusBadge>}
            </span>
          ),
          sort: ({ plan }) => plan,
        },
        {
          title: 'Status',
          cell: ({ status }) => (
            <StatusBadge tone={STATUS_TONES[status]}>{toLabel(status)}</StatusBadge>
          ),
          sort: ({ status }) => status,
        },
        {
          title: 'Sites',
          cell: ({ sites_used, sites_allowed }) => `${sites_used} of ${sites_allowed}`,
        },
        {
          title: 'Expires',
          cell: ({ expires_at }) => formatEnd(expires_at),
          sort: ({ expires_at }) => expires_at,
        },
      ]}
    />
  );
}

/** Their amount is the sum of all refunds of the payment until then. */
const SUMS = ['refunded', 'partly_refunded'];

function Purchases({ customer }: { customer: CustomerDetail }) {
  const { purchases } = customer;
  return (
    <Card component="section">
      <Title order={2} mb="md">
        Payments and renewals
      </Title>
      {purchases.length === 0 ? (
        <Text c="dimmed">No purchases. Licences issued by hand have none.</Text>
      ) : (
        <Timeline role="list" active={purchases.length}>
          {purchases.map((purchase) => (
            <Timeline.Item
              key={purchase.id}
              role="listitem"
              title={`${purchase.kind === 'renewal' ? 'Renewal' : 'Purchase'}: ${toLabel(purchase.tier)}${purchase.sites === null ? '' : `, ${formatCount(purchase.sites, 'site')}`}`}
            >
              <Text size="sm" c="dimmed">
                {formatMoment(purchase.bought_at)}. {purchase.paid_until !== NEVER && 'Paid until '}
                {formatEnd(purchase.paid_until)}
                {purchase.renews && ', renews automatically'}.{' '}
                <LicenceLink customer={customer} id={purchase.licence} />
              </Text>
              <Group gap={6} mt={4}>
                {purchase.status !== 'paid' && (
                  <StatusBadge tone="bad">{toLabel(purchase.status)}</StatusBadge>
                )}
                {purchase.payments.map(({ at, type, amount, currency }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: payments of the same second can be alike
                  <StatusBadge key={index} tone={type === 'paid' ? 'good' : 'warn'}>
                    {toLabel(type)} {currency && formatAmount(amount ?? 0, currency)}{' '}
                    {currency && SUMS.includes(type) && 'in total '}
                    {formatDay(at)}
                  </StatusBadge>
                ))}
              </Group>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Card>
  );
}

function Sites({ customer }: { customer: CustomerDetail }) {
  const { sites } = customer;
  return (
    <Card component="section">
      <Title order={2} mb="md">
        Activated sites
      </Title>
      {sites.length === 0 ? (
        <Text c="dimmed">No site is activated.</Text>
      ) : (
        <Stack component="ul" role="list" className="plain" gap="xs">
          {sites.map(({ id, site_url, activated_at, licence }) => (
            <li key={id}>
              <Text className="break">{site_url}</Text>
              <Text size="sm" c="dimmed">
                Since {formatDay(activated_at)} with{' '}
                <LicenceLink customer={customer} id={licence} />
              </Text>
            </li>
          ))}
        </Stack>
      )}
    </Card>
  );
}
