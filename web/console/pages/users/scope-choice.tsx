import { Checkbox, SimpleGrid } from '@mantine/core';
import type { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { QueryResult } from '../../components/states.tsx';
import { applicationPasswordScopesQuery } from './queries.ts';

/**
 * Checkboxes for what an application password can do.
 * @param props.who an id, or `me`
 * @param props.input value and handlers of the field of the form
 */
export function ScopeChoice({
  who,
  input,
}: {
  who: string;
  input: ReturnType<ReturnType<typeof useForm>['getInputProps']>;
}) {
  const scopes = useQuery(applicationPasswordScopesQuery(who));
  return (
    <QueryResult query={scopes} lines={4}>
      {(all) => (
        <Checkbox.Group
          label="What it can do"
          description={
            <>
              Within the rights of the user, also when these change. Changing something does not
              include reading it: scopes that end in <code>write</code> do not include{' '}
              <code>read</code>.
            </>
          }
          required
          {...input}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" my="sm">
            {all.map(({ scope, description }) => (
              <Checkbox
                key={scope}
                value={scope}
                label={description}
                description={<span className="mono">{scope}</span>}
              />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </QueryResult>
  );
}
