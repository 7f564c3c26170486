import { Button, CopyButton, Textarea } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';

/** A secret that exists on this screen and nowhere else: said plainly, and easy to take along. */
export function Secret({
  label,
  value,
  children,
}: {
  /** What it is, as “Password of ada”. */
  label: string;
  value: string;
  /** What to do next. */
  children?: ReactNode;
}) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // Once for each secret: whoever made it is led to it.
    if (value) place.current?.focus();
  }, [value]);
  return (
    <section ref={place} tabIndex={-1} className="card secret" aria-label={label}>
      <IconKey size={22} />
      <div className="stack">
        <p>
          <strong>It is shown once. Copy it now.</strong> Only its hash is stored; nobody can show
          it again.
        </p>
        <div className="row secret-value">
          <Textarea
            autosize
            className="grow"
            label={label}
            readOnly
            value={value}
            classNames={{ input: 'mono any-break' }}
            spellCheck={false}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton value={value} timeout={4_000}>
            {({ copied, copy }) => (
              <Button onClick={copy} variant={copied ? 'default' : 'filled'}>
                <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
              </Button>
            )}
          </CopyButton>
        </div>
        {children}
      </div>
    </section>
  );
}
