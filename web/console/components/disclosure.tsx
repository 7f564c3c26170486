import type { ReactNode } from 'react';

/** Content that is folded until it is needed, so that those who use the keyboard need not pass it. */
export function Disclosure({
  summary,
  label,
  isOpen,
  children,
}: {
  summary: ReactNode;
  /** The name of the summary, where its text is not unique on the page. */
  label?: string;
  /** Opens it; users can open and close it otherwise. */
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isOpen || undefined}>
      <summary style={{ minHeight: '44px', lineHeight: '44px' }} aria-label={label}>
        {summary}
      </summary>
      {children}
    </details>
  );
}
