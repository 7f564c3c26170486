import { NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { getRecord, putChanged, write } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import type { Vendor, VendorCreation } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { proposeCategory, toCategoryOptions } from '../../components/categories.ts';
import { EditForm, type Saving, useRemoval } from '../../components/form.tsx';
import { fromLines, toLines } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { NameAndSlug } from '../../components/name-and-slug.tsx';
import { Page, TextLink } from '../../components/page.tsx';
import { toSlug, validateSlug } from '../../components/slug.ts';
import { QueryResult } from '../../components/states.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { suggestionsQuery } from '../data-map/queries.ts';
import { FoundOnSite } from './found-on-site.tsx';
import { KnownCookies } from './known-cookies.tsx';

const BACK = { to: '/vendors', label: 'Vendors' } as const;
/** Other queries that show vendors. */
const STALE = [['vendors'], ['vendor'], ['results'], ['data-map']];

const EMPTY = {
  name: '',
  slug: '',
  category: 'marketing',
  purpose: '',
  data_categories: [] as string[],
  default_retention: '',
  domains: '',
  cookies: '',
  privacy_url: '',
};
type Fields = typeof EMPTY;

/** Proposes a name for a domain: `Ad Trail` for `pixel.ad-trail.example`. */
const toName = (host: string): string =>
  (host.split(':')[0]?.split('.').slice(-2)[0] ?? '')
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ');

const toFields = ({
  id,
  source,
  is_builtin,
  cookie_details,
  etag,
  ...fields
}: Vendor & { etag: string }): Fields => ({
  ...fields,
  domains: toLines(fields.domains),
  cookies: toLines(fields.cookies),
  privacy_url: fields.privacy_url ?? '',
});

const toBody = (fields: Fields): VendorCreation => ({
  ...fields,
  domains: fromLines(fields.domains),
  cookies: fromLines(fields.cookies),
  privacy_url: fields.privacy_url.trim() || null,
});

const newRoute = getRouteApi('/app/vendors/new');

export function NewVendor() {
  const { domain, scan } = newRoute.useSearch();
  const navigate = useNavigate();
  const settings = useQuery(settingsQuery);
  const initial = domain
    ? { ...EMPTY, name: toName(domain), slug: toSlug(toName(domain)), domains: domain }
    : EMPTY;
  return (
    <Page
      title="New vendor"
      intro={
        domain
          ? `Assign ${domain} to a vendor. Scans recognise vendors by their domains and cookies.`
          : 'Scans recognise vendors by their domains and cookies.'
      }
      back={BACK}
    >
      <QueryResult query={settings}>
        {({ consent }) => (
          <VendorForm
            initial={{ ...initial, category: proposeCategory(consent.categories, EMPTY.category) }}
            save="Add vendor"
            send={(fields) => write<Vendor>('POST', '/vendors', toBody(fields))}
            done={
              domain
                ? `The vendor was added. The next scan assigns ${domain} to it.`
                : 'The vendor was added.'
            }
            onDone={({ id }) =>
              scan
                ? navigate({
                    to: '/scanner/$id',
                    params: { id: scan },
                    search: { view: 'unknown' },
                  })
                : navigate({ to: '/vendors/$id', params: { id: String(id) } })
            }
          />
        )}
      </QueryResult>
    </Page>
  );
}

const route = getRouteApi('/app/vendors/$id');

export function VendorScreen() {
  const { id } = route.useParams();
  const vendor = useQuery({
    queryKey: ['vendor', id],
    queryFn: () => getRecord<Vendor>(`/vendors/${id}`),
  });
  const removal = useRemoval({
    path: `/vendors/${id}`,
    noun: 'vendor',
    stale: [['vendors'], ['results']],
    to: BACK.to,
  });
  return (
    <Page
      title={vendor.data?.name ?? 'Vendor'}
      back={BACK}
      {...(vendor.data && {
        actions: (
          <LinkButton variant="default" to="/data-map/new" search={{ vendor: id }}>
            Add to the data map
          </LinkButton>
        ),
      })}
    >
      <QueryResult query={vendor}>
        {(data) => (
          <div className="wide-narrow">
            <VendorForm
              key={data.id}
              vendor={data}
              initial={toFields(data)}
              etag={data.etag}
              send={(fields, pickChanged, tag) =>
                putChanged<Vendor>(`/vendors/${id}`, pickChanged(toBody(fields)), data, tag)
              }
              remove={data.source === 'custom' ? removal(data.name) : undefined}
            />
            <Stack>
              <FoundOnSite vendor={data} />
              <KnownCookies vendor={data} />
            </Stack>
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

function VendorForm({ vendor, ...saving }: Saving<Fields, Vendor> & { vendor?: Vendor }) {
  const form = useForm<Fields>({
    initialValues: saving.initial,
    validate: {
      name: (value) => (value.trim() ? null : 'Enter a name.'),
      slug: validateSlug,
      privacy_url: (value) =>
        value.trim() && !/^https?:\/\/./.test(value.trim())
          ? 'Enter a full address, such as https://vendor.example/privacy.'
          : null,
    },
  });
  const settings = useQuery(settingsQuery);
  const { data: suggestions } = useQuery(suggestionsQuery);
  const isOwn = !vendor || vendor.source === 'custom';
  const isReadOnly = vendor?.source === 'extension';
  return (
    <EditForm {...saving} form={form} stale={STALE} isReadOnly={isReadOnly}>
      {vendor && !isOwn && (
        <Text component="div" c="dimmed">
          <StatusBadge>
            {vendor.source === 'builtin' ? 'Built in' : 'From an extension'}
          </StatusBadge>{' '}
          {isReadOnly
            ? 'Provided by an extension. Change it there.'
            : 'The name cannot be changed. You can change everything else.'}
        </Text>
      )}
      <NameAndSlug
        form={form}
        slugDescription="Unique. Cannot be changed later"
        isNew={!vendor}
        isNameFixed={!isOwn}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label="Consent category"
          description={
            <>
              While it has active scripts, their categories count instead. Change those under{' '}
              <TextLink to="/scripts" inherit>
                Scripts
              </TextLink>
            </>
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={toCategoryOptions(settings.data?.consent.categories, [saving.initial.category])}
          {...form.getInputProps('category')}
        />
        <TextInput
          label="Default retention"
          placeholder="14 months"
          {...form.getInputProps('default_retention')}
        />
      </SimpleGrid>
      <Textarea
        label="Purpose"
        minRows={2}
        description="What the data is used for"
        {...form.getInputProps('purpose')}
      />
      <TextInput
        label="Privacy policy"
        type="url"
        description={
          vendor?.source === 'builtin'
            ? 'Linked in the preferences. If empty: the link that Pavis knows'
            : 'Linked in the preferences, where visitors choose'
        }
        placeholder="https://vendor.example/privacy"
        {...form.getInputProps('privacy_url')}
      />
      <TagsField
        label="Data categories"
        data={suggestions?.data_categories ?? []}
        {...form.getInputProps('data_categories')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Textarea
          label="Domains"
          description="One per line. Subdomains are included"
          minRows={3}
          {...form.getInputProps('domains')}
        />
        <Textarea
          label="Cookies"
          description="One per line. * matches any characters"
          minRows={3}
          {...form.getInputProps('cookies')}
        />
      </SimpleGrid>
    </EditForm>
  );
}
