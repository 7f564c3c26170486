import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { queryClient, settingsQuery } from '../../api/queries.ts';
import type { RefusedOrigin, Settings } from '../../api/types.ts';
import { showRefusal, useChange } from '../../parts/form.tsx';
import { counted, formatMoment } from '../../parts/format.ts';
import { LinkButton } from '../../parts/link-button.tsx';
import { Table } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { refusedOriginsQuery } from './queries.ts';

const saveOrigins = (allowed: readonly string[]) =>
  write<Settings>('PUT', '/settings', { origins: { allowed } });

const keep = (settings: Settings) => queryClient.setQueryData(settingsQuery.queryKey, settings);

/** Whose pages may show the banner and record consent. */
export function Origins() {
  const settings = useQuery(settingsQuery);
  const refused = useQuery(refusedOriginsQuery);
  return (
    <Page
      title="Allowed origins"
      intro="Pages of these origins may show the banner and record consent. The origin of this service and those in PAVIS_ALLOWED_ORIGINS are always allowed; without that variable, the origin of the site is."
      actions={
        <LinkButton variant="default" to="/banner">
          Banner
        </LinkButton>
      }
    >
      <Shown query={settings} lines={4}>
        {({ origins: { allowed } }) => (
          <div className="stack">
            <Shown query={refused} lines={2}>
              {(items) => items.length > 0 && <RefusedOrigins refused={items} allowed={allowed} />}
            </Shown>
            <AllowedOrigins allowed={allowed} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

function RefusedOrigins({
  refused,
  allowed,
}: {
  refused: readonly RefusedOrigin[];
  allowed: readonly string[];
}) {
  const stale = [refusedOriginsQuery.queryKey];
  const allowing = useChange({
    change: (origin: string) => saveOrigins([...allowed, origin]),
    stale,
    done: 'The origin is allowed.',
    onDone: keep,
  });
  const dismissing = useChange({
    change: (id: number) => write('DELETE', `/consent/refused-origins/${id}`),
    stale,
    done: 'The origin was dismissed. It stays refused.',
  });
  const isBusy = allowing.isPending || dismissing.isPending;
  return (
    <section className="card" aria-labelledby="refused-origins">
      <h2 id="refused-origins">Refused origins</h2>
      <ul className="plain">
        {refused.map(({ id, origin, requests, first_at, last_at }) => (
          <li className="notice warn wraps" key={id}>
            <div>
              <strong className="break">
                Requests from {origin} were refused. Allow this origin?
              </strong>
              <span className="soft">
                {counted(requests, 'request')}, first {formatMoment(first_at)}, last{' '}
                {formatMoment(last_at)}
              </span>
            </div>
            <span className="row buttons">
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
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AllowedOrigins({ allowed }: { allowed: readonly string[] }) {
  const form = useForm({
    initialValues: { origins: '' },
    validate: { origins: (value) => (value.trim() ? null : 'Enter an origin.') },
  });
  const saving = useChange({
    change: saveOrigins,
    stale: [refusedOriginsQuery.queryKey],
    done: 'The allowed origins were saved.',
    onDone(settings) {
      keep(settings);
      form.reset();
    },
    onFailed: (error) => showRefusal(form, error),
  });
  return (
    <div className="wide-narrow">
      {allowed.length > 0 ? (
        <Table
          label="Allowed origins"
          rows={allowed}
          keyOf={(origin) => origin}
          columns={[
            { title: 'Origin', cell: (origin) => <span className="break">{origin}</span> },
            {
              title: '',
              align: 'end',
              cell: (origin) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={saving.isPending}
                  aria-label={`Remove ${origin}`}
                  onClick={() => saving.mutate(allowed.filter((each) => each !== origin))}
                >
                  Remove
                </Button>
              ),
            },
          ]}
        />
      ) : (
        <p className="soft">No origins added.</p>
      )}
      <form
        className="card stack"
        noValidate
        onSubmit={form.onSubmit(({ origins }) => saving.mutate([...allowed, origins.trim()]))}
      >
        <TextInput
          label="Origin"
          description="Scheme, host and port, for example https://shop.example.com"
          type="url"
          required
          {...form.getInputProps('origins')}
        />
        <div>
          <Button type="submit" loading={saving.isPending}>
            Add origin
          </Button>
        </div>
      </form>
    </div>
  );
}
