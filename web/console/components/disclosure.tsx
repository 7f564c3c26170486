import { type ReactNode, useState } from 'react';

/** Collapsible content. While it is closed, keyboard users skip it. */
export function Disclosure({
  summary,
  label,
  isOpen,
  isLazy = false,
  children,
}: {
  summary: ReactNode;
  /** The accessible name of the summary, if its text is not unique on the page. */
  label?: string;
  /** Opens it. Users can still close it. */
  isOpen?: boolean;
  /** Renders the content when it is first opened. Tables need it: they measure their width. */
  isLazy?: boolean;
  children: ReactNode;
}) {
  const [wasOpened, setWasOpened] = useState(!isLazy);
  return (
    <details
      open={isOpen || undefined}
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}
    >
      <summary style={{ minHeight: '44px', lineHeight: '44px' }} aria-label={label}>
        {summary}
      </summary>
      {wasOpened && children}
    </details>
  );
}
