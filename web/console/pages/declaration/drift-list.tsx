import { Alert, Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import type { BulkAddAnswer, Drift } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, formatDay, formatNumber } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { driftQuery } from './queries.ts';

/** What the site uses and the data map does not say, and the reverse. */
export function DriftList() {
  const drift = useQuery(driftQuery);
  return (
    <QueryResult query={drift} lines={3}>
      {(found) =>
        found.scan_id === null ? null : found.undeclared.length + found.unseen.length === 0 ? (
          <Alert
            color="green"
            icon={<IconCircleCheck aria-hidden />}
            title="The data map matches the site"
          >
            Every third party of the scan of {formatDay(found.scanned_at)} is in the data map, and
            every vendor of the data map was seen.
          </Alert>
        ) : (
          <>
            <Undeclared drift={found} />
            <Unseen drift={found} />
          </>
        )
      }
    </QueryResult>
  );
}

function Undeclared({ drift: { scan_id, undeclared } }: { drift: Drift }) {
  const canManage = useCan('manage_options');
  const adding = useChange({
    change: (vendors: string[]) =>
      write<BulkAddAnswer>('POST', '/data-map/bulk-add', { scan_id, vendors }),
    stale: [['data-map'], ['results'], ['declaration']],
    done: 'Added to the data map.',
  });
  if (undeclared.length === 0) return null;
  const slugs = undeclared.flatMap(({ slug }) => slug ?? []);
  return (
    <Section title={`Seen, not in the data map (${formatNumber(undeclared.length)})`}>
      {canManage && slugs.length > 1 && (
        <div>
          <Button loading={adding.isPending} onClick={() => adding.mutate(slugs)}>
            Add all vendors to the data map
          </Button>
        </div>
      )}
      <ItemList label="Seen, not in the data map">
        {undeclared.map(({ name, slug, hosts, since }) => (
          <Item
            key={name}
            title={name}
            text={`First seen ${formatDay(since)}${hosts.length > 0 ? `, at ${hosts.join(', ')}` : ''}.`}
            actions={
              canManage &&
              (slug === null ? (
                <LinkButton
                  size="xs"
                  variant="default"
                  to="/vendors/new"
                  search={{ domain: name, scan: String(scan_id) }}
                  aria-label={`Assign vendor: ${name}`}
                >
                  Assign vendor
                </LinkButton>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  disabled={adding.isPending}
                  aria-label={`Add ${name} to the data map`}
                  onClick={() => adding.mutate([slug])}
                >
                  Add to data map
                </Button>
              ))
            }
          />
        ))}
      </ItemList>
    </Section>
  );
}

function Unseen({ drift: { unseen } }: { drift: Drift }) {
  if (unseen.length === 0) return null;
  return (
    <Section title={`In the data map, not seen (${formatNumber(unseen.length)})`}>
      <ItemList label="In the data map, not seen">
        {unseen.map(({ entry_id, name, purpose, scans, last_seen }) => (
          <Item
            key={entry_id}
            title={name}
            text={`${purpose.replace(/\.$/, '')}. Not seen in the last ${scans === 1 ? 'scan' : formatCount(scans, 'scan')}${last_seen ? `; last seen ${formatDay(last_seen)}` : ''}.`}
            actions={
              <LinkButton
                size="xs"
                variant="default"
                to="/data-map/$id"
                params={{ id: String(entry_id) }}
                aria-label={`Review the entry: ${name}, ${purpose}`}
              >
                Review entry
              </LinkButton>
            }
          />
        ))}
      </ItemList>
    </Section>
  );
}
