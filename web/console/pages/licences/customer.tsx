import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { write } from '../../api/client.ts';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { capitalise, formatCount } from '../../components/format.ts';
import { TextLink } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import {
  ADMIN_PATH,
  type CustomerDeleted,
  type CustomerState,
  customerQuery,
  STALE,
} from './queries.ts';

/** A customer can have hundreds of licences. */
const KEYS_MAX = 10;

/** The masked keys of licences, as the end of a sentence. */
function Keys({ licences }: { licences: readonly { id: string; key: string }[] }) {
  if (licences.length === 0) return null;
  const others = licences.length - KEYS_MAX;
  return (
    <>
      {': '}
      {licences.slice(0, KEYS_MAX).map(({ id, key }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <TextLink to="/licences/$id" params={{ id }} className="mono number">
            {key}
          </TextLink>
        </Fragment>
      ))}
      {others > 0 && ` and ${formatCount(others, 'other')}`}
    </>
  );
}

/** The customer of a licence, and whether they can be deleted. */
export function CustomerCard({ licenceId }: { licenceId: string }) {
  const customer = useQuery(customerQuery(licenceId));
  return (
    <Section title="Customer">
      <QueryResult query={customer} lines={2}>
        {(state) => (
          <CustomerDeletion
            {...state}
            // The licence can have been transferred since the page was opened.
            remove={(email) =>
              write<CustomerDeleted>('DELETE', `${ADMIN_PATH}/${licenceId}/customer`, { email })
            }
          />
        )}
      </QueryResult>
    </Section>
  );
}

/** Why a customer cannot be deleted yet, or a button that deletes them. */
export function CustomerDeletion({
  email,
  remaining,
  remove,
}: CustomerState & { remove: (email: string) => Promise<CustomerDeleted> }) {
  const deleting = useChange({ change: remove, stale: STALE, done: 'The customer was deleted.' });
  if (email === null) return <Text>The customer was deleted.</Text>;
  if (remaining.length > 0) {
    return (
      <>
        <Text>
          <span className="break">{email}</span> cannot be deleted yet.
        </Text>
        <ul style={{ margin: 0 }}>
          {remaining.map(({ ground, reason, licences }) => (
            <li key={ground} className="break">
              {capitalise(reason)}
              <Keys licences={licences} />
            </li>
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      <Text>
        <span className="break">{email}</span> has no active licence and can be deleted.
      </Text>
      <div>
        <ConfirmButton
          title="Delete this customer?"
          text={`The address ${email}, the sites and the sign-in links are erased. The audit log and the purchases stay as long as retention says. This cannot be undone.`}
          confirm="Delete customer"
          isBusy={deleting.isPending}
          onConfirm={() => deleting.mutate(email)}
          button={(open) => (
            <Button variant="subtle" color="red" onClick={open}>
              Delete customer
            </Button>
          )}
        />
      </div>
    </>
  );
}
