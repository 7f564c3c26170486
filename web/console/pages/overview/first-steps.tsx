import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { settingsQuery } from '../../api/queries.ts';
import type { Scan } from '../../api/types.ts';
import { activeScriptsQuery } from '../scripts/queries.ts';

/** From nothing to a script that is seen to wait; gone once it was. */
export function FirstSteps({ last, decisions }: { last: Scan | undefined; decisions: number }) {
  const scripts = useQuery(activeScriptsQuery);
  const settings = useQuery(settingsQuery);
  if (!(scripts.data && settings.data)) return null;
  const [firstScript] = scripts.data.map(({ created_at }) => created_at).sort();
  const steps = [
    {
      title: 'Scan the site',
      text: 'See what its pages load and set, and from whom.',
      isDone: last !== undefined,
      action: <Link to="/scanner">Scan</Link>,
    },
    {
      title: 'Put the banner on its pages',
      text: (
        <>
          As the first script of each page:{' '}
          <code className="break">{`<script src="${location.origin}/banner.js"></script>`}</code>
        </>
      ),
      isDone: decisions > 0,
      action: <Link to="/banner">See it</Link>,
    },
    {
      title: 'Block a script until consent',
      text: 'Choose one that loads before consent, and “Block until consent”.',
      isDone: firstScript !== undefined,
      action: last ? (
        <Link
          to="/scanner/$id"
          params={{ id: String(last.scan_id) }}
          search={{ view: 'findings', only: 'open' }}
        >
          Choose
        </Link>
      ) : (
        <Link to="/scripts/new">Add one</Link>
      ),
    },
    {
      title: 'See it blocked',
      text: 'Scan once more: what is blocked is marked so, and no longer loads before consent.',
      isDone: Boolean(firstScript && last && last.started_at > firstScript),
      action: <Link to="/scanner">Scan again</Link>,
    },
    {
      title: 'State the controller',
      text: 'Emails, the request form and the records of processing activities name who is responsible.',
      isDone: settings.data.controller.name !== '',
      action: <Link to="/settings">State</Link>,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  if (next < 0) return null;
  return (
    <section className="card">
      <h2>First steps</h2>
      <ol className="plain steps">
        {steps.map(({ title, text, isDone, action }, index) => (
          <li
            key={title}
            className={isDone ? 'notice good' : 'notice'}
            aria-current={index === next ? 'step' : undefined}
          >
            {isDone ? <IconCircleCheck size={22} /> : <b aria-hidden="true">{index + 1}</b>}
            <div>
              <strong>
                {title}
                {isDone && <span className="unseen">, done</span>}
              </strong>
              <span className="soft">{text}</span>
            </div>
            {!isDone && <span className="way">{action}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
