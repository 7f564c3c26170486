import type { ReactNode } from 'react';

/** Numbers that matter, side by side. */
export function KeyFigures({
  items,
}: {
  items: readonly { label: string; value: ReactNode; note?: string }[];
}) {
  return (
    <dl className="figures">
      {items.map(({ label, value, note }) => (
        <div className="figure" key={label}>
          <dt>{label}</dt>
          <dd>
            {value} {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
