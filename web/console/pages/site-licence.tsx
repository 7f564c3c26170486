import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { write } from '../api/client.ts';
import { Allowed } from '../components/access.tsx';
import { StatusBadge } from '../components/badges.tsx';
import { Facts } from '../components/facts.tsx';
import { ConfirmButton, useChange } from '../components/form.tsx';
import { formatMoment, toLabel } from '../components/format.ts';
import { useMissing } from '../components/required.ts';
import { NEVER } from './licences/queries.ts';
import type { SiteLicence } from './system-queries.ts';

const formatEnd = (iso: string | null): string => (iso === NEVER ? 'Never' : formatMoment(iso));

export function Licence({ licence }: { licence: SiteLicence }) {
  const [key, setKey] = useState('');
  const missing = useMissing();
  const saving = useChange({
    change: () => write<SiteLicence>('POST', '/licence', { key: key.trim() }),
    stale: [['licence']],
    done: 'Licence key saved.',
    onDone: () => setKey(''),
  });
  const removing = useChange({
    change: () => write('DELETE', '/licence'),
    stale: [['licence']],
    done: 'Licence key removed.',
  });
  const submit = (event: FormEvent<unknown>) => {
    event.preventDefault();
    if (missing.isMissing(key)) return;
    saving.mutate(undefined);
  };
  return (
    <Card component="section">
      <Title order={2} mb="sm">
        Site licence
      </Title>
      <Stack>
        <Text component="div">
          <StatusBadge tone={licence.valid ? 'good' : licence.key === null ? 'neutral' : 'warn'}>
            {toLabel(licence.status)}
          </StatusBadge>{' '}
          {licence.message}
        </Text>
        {licence.key !== null && (
          <Facts
            items={[
              [
                'Key',
                <span key="key" className="mono">
                  {licence.key}
                </span>,
              ],
              ['Tier', licence.tier ? toLabel(licence.tier) : '–'],
              ['Features', licence.features.map(toLabel).join(', ') || '–'],
              ['Sites', `${licence.sites_used ?? '–'} of ${licence.sites_allowed ?? '–'}`],
              ['Expires', formatEnd(licence.expires_at)],
              [
                'Paid until',
                licence.paid_until !== licence.expires_at && formatEnd(licence.paid_until),
              ],
              [
                'Last checked',
                <>
                  {formatMoment(licence.checked_at)}{' '}
                  {licence.stale && <StatusBadge tone="warn">Stale</StatusBadge>}
                </>,
              ],
            ]}
          />
        )}
        <Allowed>
          <Group component="form" align="flex-end" onSubmit={submit}>
            <TextInput
              style={{ flex: '1 1 16rem' }}
              label={licence.key === null ? 'Licence key' : 'Replace the key'}
              placeholder="pv_live_…"
              autoComplete="off"
              spellCheck={false}
              aria-required
              error={missing.getError(key, 'Enter the licence key.')}
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
            />
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
            {licence.key !== null && (
              <ConfirmButton
                title="Remove the licence key?"
                text="The site releases its activation. No data is deleted."
                confirm="Remove"
                isBusy={removing.isPending}
                onConfirm={() => removing.mutate(undefined)}
                button={(open) => (
                  <Button variant="subtle" color="red" onClick={open}>
                    Remove
                  </Button>
                )}
              />
            )}
          </Group>
        </Allowed>
      </Stack>
    </Card>
  );
}
