import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { capitalise } from '../../components/format.ts';
import { QueryResult } from '../../components/states.tsx';
import { type CustomerDeleted, customerQuery, DESK, STALE } from './queries.ts';

/** The customer of a licence: whether they can be deleted, and what they are still needed for. */
export function CustomerCard({ licenceId }: { licenceId: string }) {
  const customer = useQuery(customerQuery(licenceId));
  const deleting = useChange({
    change: () => write<CustomerDeleted>('DELETE', `${DESK}/${licenceId}/customer`),
    stale: STALE,
    done: 'The customer was deleted.',
  });
  return (
    <section className="card stack">
      <h2 style={{ margin: 0 }}>Customer</h2>
      <QueryResult query={customer} lines={2}>
        {({ email, remaining }) => {
          if (email === null) return <p style={{ margin: 0 }}>The customer was deleted.</p>;
          if (remaining.length > 0) {
            return (
              <>
                <p style={{ margin: 0 }}>
                  <span className="break">{email}</span> cannot be deleted yet.
                </p>
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
              <p style={{ margin: 0 }}>
                <span className="break">{email}</span> has no licence that still runs, and can be
                deleted.
              </p>
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
    </section>
  );
}
