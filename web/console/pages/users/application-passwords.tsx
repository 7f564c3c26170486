import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { ConfirmButton, showFieldErrors, useChange } from '../../components/form.tsx';
import { formatDay, formatMoment } from '../../components/format.ts';
import { Secret } from '../../components/secret.tsx';
import { QueryResult } from '../../components/states.tsx';
import {
  type ApplicationPassword,
  applicationPasswordsQuery,
  type NewApplicationPassword,
  STALE,
} from './queries.ts';

/**
 * The passwords that programs use in somebody's name.
 * @param who an id, or `me`
 */
export function ApplicationPasswords({ who, login }: { who: string; login: string }) {
  const passwords = useQuery(applicationPasswordsQuery(who));
  const [made, setMade] = useState<NewApplicationPassword>();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() ? null : 'Please say what it is for.') },
  });
  const adding = useChange({
    change: (body: { name: string }) =>
      write<NewApplicationPassword>('POST', `/users/${who}/application-passwords`, body),
    stale: STALE,
    onDone: (added) => {
      setMade(added);
      form.reset();
    },
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <section className="card stack">
      <h2 style={{ margin: 0 }}>Application passwords</h2>
      <p className="soft small under-title">
        For programs: with the login {login} they send one by HTTP Basic and may do what the user
        may. A revoked one is refused at once.
      </p>
      {made && (
        <Secret label={`Application password “${made.name}”`} value={made.password}>
          <div>
            <Button variant="default" size="xs" onClick={() => setMade(undefined)}>
              I have it
            </Button>
          </div>
        </Secret>
      )}
      <QueryResult query={passwords} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <p className="soft" style={{ margin: 0 }}>
              There is none. Programs cannot come in as {login}.
            </p>
          ) : (
            <ul className="plain">
              {all.map((password) => (
                <Line key={password.uuid} who={who} password={password} />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <form
        className="row"
        style={{ alignItems: 'flex-start' }}
        noValidate
        onSubmit={form.onSubmit((fields) => adding.mutate(fields))}
      >
        <TextInput
          style={{ flex: '1 1 14rem' }}
          label="For what"
          placeholder="Backup script"
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Button className="beside-field" type="submit" variant="default" loading={adding.isPending}>
          Create a password
        </Button>
      </form>
    </section>
  );
}

function Line({ who, password }: { who: string; password: ApplicationPassword }) {
  const { uuid, name, created, last_used } = password;
  const revoking = useChange({
    change: () => write('DELETE', `/users/${who}/application-passwords/${uuid}`),
    stale: STALE,
    done: `“${name}” is refused from now on.`,
  });
  return (
    <li className="notice">
      <div>
        <strong className="break">{name}</strong>
        <span className="soft small">
          Made {formatMoment(created)} ·{' '}
          {last_used ? `last used ${formatDay(last_used)}` : 'never used'}
        </span>
      </div>
      <ConfirmButton
        needs="read"
        title={`Revoke “${name}”?`}
        text="The program that uses it is refused from its next request on. This cannot be undone."
        confirm="Revoke"
        isBusy={revoking.isPending}
        onConfirm={() => revoking.mutate(undefined)}
        button={(open) => (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={`Revoke ${name}`}
            onClick={open}
          >
            Revoke
          </Button>
        )}
      />
    </li>
  );
}
