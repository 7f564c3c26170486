import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { useChange } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { assigneesQuery } from './queries.ts';
import type { Case } from './types.ts';

/** Who handles a request: an administrator or an editor. */
export function Assignee({ request }: { request: Case }) {
  const { assignee } = request;
  const id = String(request.id);
  const me = useQuery(sessionQuery).data?.user.login ?? '';
  const { data: logins = [] } = useQuery(assigneesQuery);
  // Only what the user has selected: otherwise the field follows the record, which a colleague can change.
  const [selected, setSelected] = useState<string>();
  const [shown, setShown] = useState(assignee);
  if (shown !== assignee) {
    setShown(assignee);
    setSelected(undefined);
  }
  const chosen = selected ?? assignee ?? '';
  const assigning = useChange({
    change: (login: string | null) => write<Case>('PUT', `/dsar/cases/${id}`, { assignee: login }),
    stale: [['case', id], ['cases']],
    done: 'The assignee was changed.',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    assigning.mutate(chosen || null);
  };
  // An assignee whose account was deleted stays listed.
  const isFormer = assignee !== null && !logins.includes(assignee);
  return (
    <Section title="Assignee">
      <Stack component="form" onSubmit={submit}>
        <NativeSelect
          label="Administrator or editor"
          value={chosen}
          data={[
            { value: '', label: 'Unassigned' },
            ...(isFormer ? [{ value: assignee, label: assignee, disabled: true }] : []),
            ...logins,
          ]}
          onChange={({ currentTarget }) => setSelected(currentTarget.value)}
        />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={assigning.isPending}>
            Assign
          </Button>
          <Button variant="subtle" onClick={() => assigning.mutate(assignee === me ? null : me)}>
            {assignee === me ? 'Unassign' : 'Assign to me'}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
