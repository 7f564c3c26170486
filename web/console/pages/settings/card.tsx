import { Button, Card, Fieldset, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Tagged } from '../../api/client.ts';
import type { Settings } from '../../api/types.ts';
import { Allowed, useCan } from '../../components/access.tsx';
import { type FormOf, useSettingsForm } from '../../components/settings-form.tsx';

/** Whether a text is empty or looks like an email address. The server checks again. */
export const isAddressOrEmpty = (text: string): string | null =>
  text.trim() === '' || /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(text.trim())
    ? null
    : 'Enter one email address, for example privacy@example.com.';

interface CardProps<S extends keyof Settings> {
  section: S;
  settings: Tagged<Settings>;
  title: string;
  intro?: string;
  /** Labels of the fields. */
  labels: Record<keyof Settings[S] & string, string>;
  validate?: Parameters<typeof useSettingsForm<S>>[0]['validate'];
  save: string;
  done: string;
  children: (form: FormOf<Settings[S]>) => ReactNode;
  /** Shown beside the button. */
  more?: ReactNode;
}

/** A section of the settings with its own save button. */
export function SettingsCard<S extends keyof Settings>({
  section,
  settings,
  title,
  intro,
  labels,
  validate,
  save: saveLabel,
  done,
  children,
  more,
}: CardProps<S>) {
  const canSave = useCan('manage_options');
  const { form, isDirty, isSaving, save, undo, notices } = useSettingsForm<S>({
    section,
    settings,
    done,
    getLabel: ([name = '']) => (labels as Record<string, string>)[name] ?? name,
    ...(validate && { validate }),
  });
  return (
    <Card
      component="form"
      maw="44rem"
      noValidate
      aria-label={title}
      onSubmit={form.onSubmit((fields) => save(fields as Settings[S]))}
    >
      <Stack>
        <Title order={2} id={section} tabIndex={-1}>
          {title}
        </Title>
        {intro && <Text c="dimmed">{intro}</Text>}
        {notices}
        <Fieldset variant="unstyled" disabled={!canSave}>
          <Stack>{children(form)}</Stack>
        </Fieldset>
        <Allowed>
          <Group gap="sm">
            <Button type="submit" loading={isSaving}>
              {saveLabel}
            </Button>
            {isDirty && (
              <Button variant="subtle" onClick={undo}>
                Undo changes
              </Button>
            )}
            {more}
          </Group>
        </Allowed>
      </Stack>
    </Card>
  );
}
