import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { capitalise } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { ADMIN_PATH, type CustomerDeleted, customerQuery, STALE } from './queries.ts';

/** The customer of a licence, and whether they can be deleted. */
export function CustomerCard({ licenceId }: { licenceId: string }) {
  const customer = useQuery(customerQuery(licenceId));
  const deleting = useChange({
    change: () => write<CustomerDeleted>('DELETE', `${ADMIN_PATH}/${licenceId}/customer`),
    stale: STALE,
    done: 'The customer was deleted.',
  });
  return (
    <Section title="Customer">
      <QueryResult query={customer} lines={2}>
        {({ email, remaining }) => {
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
                      {capitalise(
                        licences.length > 0 ? `${reason}: ${licences.join(', ')}` : reason,
                      )}
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
                  text="The address, the sites and the sign-in links are erased. The audit log and the purchases stay as long as retention says. This cannot be undone."
                  confirm="Delete customer"
                  isBusy={deleting.isPending}
                  onConfirm={() => deleting.mutate(undefined)}
                  button={(open) => (
                    <Button variant="subtle" color="red" onClick={open}>
                      Delete customer
                    </Button>
                  )}
                />
              </div>
            </>
          );
        }}
      </QueryResult>
    </Section>
  );
}
