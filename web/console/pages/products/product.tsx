import { Card, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { putTagged, write } from '../../api/client.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { EditForm, type Saving } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { NameAndSlug } from '../../components/name-and-slug.tsx';
import { Page } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { NoLicences } from '../licences/no-licences.tsx';
import { STALE } from '../licences/queries.ts';
import { LicenceClient } from './licence-client.tsx';
import { findSlugProblem, INTERVALS } from './plan-fields.ts';
import { type Plan, PRODUCTS, type Product, productQuery } from './queries.ts';

const BACK = { to: '/products', label: 'Products' } as const;
const EMPTY = { name: '', slug: '', current_version: '', site_url: '' };
type Fields = typeof EMPTY;

const toBody = ({ name, current_version, site_url }: Fields) => ({
  name,
  current_version: current_version || null,
  site_url: site_url || null,
});

export function NewProduct() {
  const navigate = useNavigate();
  return (
    <Page title="Create a product" intro="A licence key is valid for one product." back={BACK}>
      <ProductForm
        initial={EMPTY}
        save="Create the product"
        done="The product was created."
        send={(fields) =>
          write<Product>('POST', PRODUCTS, { ...toBody(fields), slug: fields.slug })
        }
        onDone={({ slug }) => navigate({ to: '/products/$slug', params: { slug } })}
      />
    </Page>
  );
}

const route = getRouteApi('/app/products/$slug');

/** A product with its plans. */
export function ProductScreen() {
  const { slug } = route.useParams();
  const product = useQuery(productQuery(slug));
  return (
    <Page
      title={product.data?.name ?? 'Product'}
      {...(product.data && { intro: <span className="mono">{slug}</span> })}
      back={BACK}
      actions={
        product.data && (
          <LinkButton variant="default" to="/products/$slug/releases" params={{ slug }}>
            Releases
          </LinkButton>
        )
      }
    >
      <QueryResult query={product} lines={8} absent={<NoLicences />}>
        {(data) => (
          <Stack>
            <Plans product={data} />
            <LicenceClient slug={slug} />
            <ProductForm
              key={data.id}
              product={data}
              initial={{
                name: data.name,
                slug: data.slug,
                current_version: data.current_version ?? '',
                site_url: data.site_url ?? '',
              }}
              etag={data.etag}
              send={async (fields, _, tag) => {
                const path = `${PRODUCTS}/${slug}`;
                return (await putTagged<Product>(path, toBody(fields), tag)).value;
              }}
            />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

const describeIntervals = ({ prices }: Plan): string =>
  INTERVALS.flatMap(([interval, label]) => (interval in prices ? [label] : [])).join(', ');

function Plans({ product: { slug, plans } }: { product: Product }) {
  return (
    <Card component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Plans</Title>
        <LinkButton
          variant="default"
          to="/products/$slug/plans/new"
          params={{ slug }}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          Add a plan
        </LinkButton>
      </Group>
      {plans.length === 0 ? (
        <Text c="dimmed">Add a plan, then you can issue licences of this product.</Text>
      ) : (
        <DataTable
          label="Plans"
          rows={plans}
          getKey={({ id }) => id}
          columns={[
            {
              title: 'Plan',
              cell: ({ id, label, archived_at }) => (
                <Group gap="xs">
                  <Link
                    to="/products/$slug/plans/$id"
                    params={{ slug, id: String(id) }}
                    className="break"
                  >
                    {label}
                  </Link>
                  {archived_at !== null && <StatusBadge>Archived</StatusBadge>}
                </Group>
              ),
            },
            { title: 'Tier', cell: ({ tier }) => <span className="mono">{tier}</span> },
            { title: 'Sites', align: 'end', cell: ({ sites_allowed }) => sites_allowed },
            {
              title: 'Features',
              cell: ({ features }) => <span className="break">{features.join(', ') || '–'}</span>,
            },
            { title: 'Prices', cell: (plan) => describeIntervals(plan) || '–' },
            { title: 'Licences', align: 'end', cell: ({ licences }) => licences },
          ]}
        />
      )}
    </Card>
  );
}

function ProductForm({ product, ...saving }: Saving<Fields, Product> & { product?: Product }) {
  const form = useForm<Fields>({
    initialValues: saving.initial,
    validate: {
      name: (value) => (value.trim() ? null : 'Enter a name.'),
      slug: findSlugProblem,
    },
  });
  return (
    <EditForm {...saving} form={form} stale={STALE}>
      {product && <Title order={2}>Details</Title>}
      <NameAndSlug
        form={form}
        slugDescription="Your plugin sends it to validate. Cannot be changed later"
        isNew={!product}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Current version"
          placeholder="2.4.1"
          {...form.getInputProps('current_version')}
        />
        <TextInput
          label="Website"
          type="url"
          placeholder="https://example.com"
          {...form.getInputProps('site_url')}
        />
      </SimpleGrid>
    </EditForm>
  );
}
