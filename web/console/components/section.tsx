import { Card, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A titled card. */
export function Section({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Card component="section">
      <Stack>
        <Title order={2}>{title}</Title>
        {children}
      </Stack>
    </Card>
  );
}

/** A titled card of fields, which `disabled` makes read-only. */
export function FieldsetCard({
  title,
  disabled,
  children,
}: {
  title: string;
  disabled?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Card component="fieldset" disabled={disabled} aria-labelledby={id} m={0} miw={0}>
      <Stack>
        <Title order={2} id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}
