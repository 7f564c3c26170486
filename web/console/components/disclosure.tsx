import { type ReactNode, useState } from 'react';

/** Content that is folded until it is needed, so that those who use the keyboard need not pass it. */
export function Disclosure({
  summary,
  label,
  isOpen,
  isLazy = false,
  children,
}: {
  summary: ReactNode;
  /** The name of the summary, where its text is not unique on the page. */
  label?: string;
  /** Opens it; users can open and close it otherwise. */
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
