import { Alert, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { CopyField } from './copy-field.tsx';

/** A secret that is shown only once, with a copy button. */
export function Secret({
  label,
  value,
  storedAs = 'hash',
  children,
}: {
  /** For example “Password of ada”. */
  label: string;
  value: string;
  storedAs?: 'hash' | 'encrypted';
  /** What to do next. */
  children?: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Each new secret gets the focus once.
    if (value) place.current?.focus();
  }, [value]);
  return (
    <Alert
      ref={place}
      component="section"
      tabIndex={-1}
      role="region"
      color="yellow"
      icon={<IconKey size={22} aria-hidden />}
      aria-label={label}
    >
      <Stack>
        <p>
          <strong>Copy it now. It is shown only once.</strong>{' '}
          {storedAs === 'hash' ? 'Only a hash is stored.' : 'It is stored encrypted.'}
        </p>
        <CopyField label={label} value={value} isPrimary />
        {children}
      </Stack>
    </Alert>
  );
}
