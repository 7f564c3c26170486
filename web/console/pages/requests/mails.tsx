import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { useChange } from '../../components/form.tsx';
import { formatMoment, toLabel } from '../../components/format.ts';
import { QueryResult } from '../../components/states.tsx';
import { mailsQuery } from './queries.ts';
import type { Case, Mail } from './types.ts';

const TONES: Partial<Record<Mail['status'], Tone>> = { sent: 'good', dead: 'bad', held: 'warn' };
const STUCK: readonly Mail['status'][] = ['dead', 'held'];

/** What the one who asked was told, and whether it went out. */
export function Mails({ request, hasPackage }: { request: Case; hasPackage: boolean }) {
  const caseId = String(request.id);
  const mails = useQuery(mailsQuery(caseId));
  const sending = useChange({
    change: ({ id }: Mail) => write('POST', `/mail/${id}/retry`),
    stale: [['case', caseId]],
    done: 'It is tried once more.',
  });
  return (
    <section className="card">
      <h2>Mails</h2>
      <QueryResult query={mails} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <p className="soft" style={{ margin: 0 }}>
              None yet about this request.
            </p>
          ) : (
            <ul className="plain">
              {all.map((mail) => (
                <li className="notice" key={mail.id}>
                  <div>
                    <strong>
                      {toLabel(mail.kind.replace(/^dsar_/, ''))}{' '}
                      <StatusBadge tone={TONES[mail.status] ?? 'info'}>
                        {toLabel(mail.status)}
                      </StatusBadge>
                    </strong>
                    <span className="soft small break">
                      {formatMoment(mail.sent_at ?? mail.created_at)}
                      {mail.recipient && ` · to ${mail.recipient}`}
                      {mail.last_error && ` · ${mail.last_error}`}
                    </span>
                  </div>
                  {STUCK.includes(mail.status) && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Send again: ${toLabel(mail.kind.replace(/^dsar_/, ''))}`}
                      onClick={() => sending.mutate(mail)}
                    >
                      Send again
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
      <NewLink request={request} hasPackage={hasPackage} />
    </section>
  );
}

/** Sends a link anew that was lost or has expired, where it leads to something. */
function NewLink({ request, hasPackage }: { request: Case; hasPackage: boolean }) {
  const isUnconfirmed = request.completed === null && request.verified_at === null;
  const purpose = isUnconfirmed ? 'confirm' : 'download';
  const sending = useChange({
    change: () => write('POST', `/dsar/cases/${request.id}/links`, { purpose }),
    stale: [['case', String(request.id)]],
    done: 'A new link is being sent. Earlier links no longer work.',
  });
  const isDownloadable = request.status === 'completed' && hasPackage;
  if (request.email === null || !(isUnconfirmed || isDownloadable)) return null;
  return (
    <div style={{ marginTop: '1rem' }}>
      <Button
        variant="default"
        loading={sending.isPending}
        onClick={() => sending.mutate(undefined)}
      >
        {isUnconfirmed ? 'Resend confirmation link' : 'Send a new download link'}
      </Button>
    </div>
  );
}
