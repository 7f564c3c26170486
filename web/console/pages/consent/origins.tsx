import { Button, Card, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { changeSettings } from '../../api/change-settings.ts';
import { write } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import type { RefusedOrigin } from '../../api/types.ts';
import { Allowed, ReadOnlyNotice, useCan } from '../../components/access.tsx';
import { showFieldErrors, useChange } from '../../components/form.tsx';
import { formatCount, formatMoment } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { DataTable } from '../../components/table.tsx';
import { refusedOriginsQuery } from './queries.ts';

const changeOrigins = (change: (allowed: readonly string[]) => string[]) =>
  changeSettings(({ origins }) => ({ origins: { allowed: change(origins.allowed) } }));

/** Origins whose pages may show the banner and record consent. */
export function Origins() {
  const settings = useQuery(settingsQuery);
  const refused = useQuery(refusedOriginsQuery);
  return (
    <Page
      title="Allowed origins"
      intro="Pages of these origins may show the banner and record consent. The origin of this service and those in PAVIS_ALLOWED_ORIGINS are always allowed; without that variable, the origin of the site is."
      back={{ to: '/banner', label: 'Banner' }}
    >
      <QueryResult query={settings} lines={4}>
        {({ origins: { allowed } }) => (
          <Stack>
            <ReadOnlyNotice />
            <QueryResult query={refused} lines={2}>
              {(items) => items.length > 0 && <RefusedOrigins refused={items} />}
            </QueryResult>
            <AllowedOrigins allowed={allowed} />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

function RefusedOrigins({ refused }: { refused: readonly RefusedOrigin[] }) {
  const canManage = useCan('manage_options');
  const stale = [refusedOriginsQuery.queryKey];
  const allowing = useChange({
    change: (origin: string) => changeOrigins((allowed) => [...new Set([...allowed, origin])]),
    stale,
    done: 'The origin is allowed.',
  });
  const dismissing = useChange({
    change: (id: number) => write('DELETE', `/consent/refused-origins/${id}`),
    stale,
    done: 'The origin was dismissed. It stays refused.',
  });
  const isBusy = allowing.isPending || dismissing.isPending;
  return (
    <Section title="Refused origins">
      <ItemList>
        {refused.map(({ id, origin, requests, first_at, last_at }) => (
          <Item
            key={id}
            title={`Requests from ${origin} were refused. Allow this origin?`}
            text={
              <>
                {formatCount(requests, 'request')}, first {formatMoment(first_at)}, last{' '}
                {formatMoment(last_at)}
              </>
            }
            actions={
              canManage && (
                <>
                  <Button
                    size="compact-sm"
                    disabled={isBusy}
                    aria-label={`Allow ${origin}`}
                    onClick={() => allowing.mutate(origin)}
                  >
                    Allow
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    disabled={isBusy}
                    aria-label={`Dismiss ${origin}`}
                    onClick={() => dismissing.mutate(id)}
                  >
                    Dismiss
                  </Button>
                </>
              )
            }
          />
        ))}
      </ItemList>
    </Section>
  );
}

function AllowedOrigins({ allowed }: { allowed: readonly string[] }) {
  const canManage = useCan('manage_options');
  const form = useForm({
    initialValues: { origins: '' },
    validate: { origins: (value) => (value.trim() ? null : 'Enter an origin.') },
  });
  const saving = useChange({
    change: changeOrigins,
    stale: [refusedOriginsQuery.queryKey],
    done: 'The allowed origins were saved.',
    onDone: () => form.reset(),
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <div className="wide-narrow">
      {allowed.length > 0 ? (
        <DataTable
          label="Allowed origins"
          rows={allowed}
          getKey={(origin) => origin}
          columns={[
            { title: 'Origin', cell: (origin) => <span className="break">{origin}</span> },
            {
              title: '',
              align: 'end',
              cell: (origin) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={saving.isPending || !canManage}
                  aria-label={`Remove ${origin}`}
                  onClick={() => saving.mutate((all) => all.filter((each) => each !== origin))}
                >
                  Remove
                </Button>
              ),
            },
          ]}
        />
      ) : (
        <Text c="dimmed">No origins added.</Text>
      )}
      <Allowed>
        <Card
          component="form"
          noValidate
          onSubmit={form.onSubmit(({ origins }) =>
            saving.mutate((all) => [...new Set([...all, origins.trim()])]),
          )}
        >
          <Stack>
            <TextInput
              label="Origin"
              description="Scheme, host and port, for example https://shop.example.com"
              type="url"
              {...REQUIRED}
              {...form.getInputProps('origins')}
            />
            <div>
              <Button type="submit" loading={saving.isPending}>
                Add origin
              </Button>
            </div>
          </Stack>
        </Card>
      </Allowed>
    </div>
  );
}
