import { Button, Divider, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { changeSettings } from '../../api/change-settings.ts';
import { ApiError } from '../../api/client.ts';
import type { ConsentLog, LogWitness, Settings } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { capitalise, formatAge, formatCount, formatMoment } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { notifyError } from '../../components/notify.ts';
import { REQUIRED } from '../../components/required.ts';
import { Section } from '../../components/section.tsx';
import { useUnsaved } from '../../components/unsaved.tsx';
import { logQuery } from './queries.ts';

type Address = Settings['consent_log']['witnesses'][number];

/** The maximum of the settings. */
const WITNESSES_MAX = 10;

const changeWitnesses = (change: (witnesses: readonly Address[]) => Address[]) =>
  changeSettings(({ consent_log }) => ({
    consent_log: { witnesses: change(consent_log.witnesses) },
  }));

/** The witnesses of the log (C2SP tlog-witness), and a form to add one. */
export function Witnesses({ log: { witnesses, size } }: { log: ConsentLog }) {
  return (
    <Section title="Witnesses">
      <Text size="sm">
        A witness is a server that another party runs. It confirms that the log only grows. Without
        one, only checkpoints that others have kept reveal that the whole log was replaced.
        Witnesses see hashes, and no consent choice.
      </Text>
      {witnesses.length === 0 ? (
        <Text c="dimmed">No witnesses added.</Text>
      ) : (
        <ItemList label="Witnesses">
          {witnesses.map((witness) => (
            <Witness key={witness.key} witness={witness} size={size} />
          ))}
        </ItemList>
      )}
      <Allowed>
        <Divider />
        {witnesses.length < WITNESSES_MAX ? (
          <NewWitness />
        ) : (
          <Text size="sm">
            {WITNESSES_MAX} witnesses are the maximum. Remove one to add another.
          </Text>
        )}
      </Allowed>
    </Section>
  );
}

function describeState({ contradicts, error, cosigned_at, size }: LogWitness, now: number) {
  const found: readonly [tone: Tone, label: string] = contradicts
    ? ['bad', 'Contradicts']
    : error !== null
      ? ['warn', 'Last request failed']
      : cosigned_at === null
        ? ['neutral', 'Not asked yet']
        : size === now
          ? ['good', 'Up to date']
          : ['info', 'Cosigned'];
  return found;
}

function Witness({ witness, size: now }: { witness: LogWitness; size: number }) {
  const { name, url, key, size, cosigned_at, error, error_at } = witness;
  const removing = useChange({
    change: () => changeWitnesses((all) => all.filter((each) => each.key !== key)),
    stale: [logQuery.queryKey],
    done: 'The witness was removed.',
  });
  const [tone, label] = describeState(witness, now);
  return (
    <Item
      title={name}
      text={url}
      actions={
        <>
          <StatusBadge tone={tone}>{label}</StatusBadge>
          <ConfirmButton
            title={`Remove ${name}?`}
            text="The witness is no longer asked. The cosignatures that it has given stay valid."
            confirm="Remove"
            isBusy={removing.isPending}
            onConfirm={() => removing.mutate(undefined)}
            button={(open) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Remove ${name}`}
                loading={removing.isPending}
                onClick={open}
              >
                Remove
              </Button>
            )}
          />
        </>
      }
    >
      <Text size="sm">
        {cosigned_at === null || size === null
          ? 'No cosignature yet. Pavis asks about once a minute while the log grows.'
          : `Last cosignature ${formatAge(cosigned_at)} (${formatMoment(cosigned_at)}), for ${formatCount(size, 'entry', 'entries')}.`}
      </Text>
      {error !== null && (
        <Text size="sm" className="break">
          {error_at && `${formatMoment(error_at)}: `}
          {error}
        </Text>
      )}
    </Item>
  );
}

function NewWitness() {
  const form = useForm({
    initialValues: { url: '', key: '' },
    validate: {
      url: (value) => (value.trim() ? null : 'Enter the address of the witness.'),
      key: (value) => (value.trim() ? null : 'Enter the verifier key of the witness.'),
    },
  });
  const adding = useChange({
    change: (added: Address) => changeWitnesses((all) => [...all, added]),
    stale: [logQuery.queryKey],
    done: 'The witness was added.',
    onDone: () => form.reset(),
    onFailed(error) {
      const reason = error instanceof ApiError ? error.params.consent_log : undefined;
      if (reason === undefined) return notifyError(error);
      const text = capitalise(reason.replace(/^witnesses(?:\[\d+\])?: /, ''));
      const field = text.startsWith(`"${form.values.url.trim()}"`) ? 'url' : 'key';
      form.setFieldError(field, text);
      form.getInputNode(field)?.focus();
    },
  });
  useUnsaved({ isDirty: () => form.isDirty() });
  return (
    <form
      noValidate
      aria-label="Add a witness"
      onSubmit={form.onSubmit(({ url, key }) =>
        adding.mutate({ url: url.trim(), key: key.trim() }),
      )}
    >
      <Stack>
        <TextInput
          label="Address"
          description="For example https://witness.example.com. Its operator needs the verifier key of this log."
          type="url"
          {...REQUIRED}
          {...form.getInputProps('url')}
        />
        <TextInput
          label="Verifier key of the witness"
          description="Its operator has it. If the witness is a Pavis server, pavis witness key prints it."
          {...REQUIRED}
          spellCheck={false}
          {...form.getInputProps('key')}
        />
        <div>
          <Button type="submit" variant="default" loading={adding.isPending}>
            Add witness
          </Button>
        </div>
      </Stack>
    </form>
  );
}
