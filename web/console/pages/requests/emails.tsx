import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { useChange } from '../../components/form.tsx';
import { formatMoment, toLabel } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { needsConfirmation } from './opt-out.ts';
import { emailsQuery } from './queries.ts';
import type { Case, Mail } from './types.ts';

const TONES: Partial<Record<Mail['status'], Tone>> = { sent: 'good', dead: 'bad', held: 'warn' };
const STATUSES: Partial<Record<Mail['status'], string>> = { dead: 'Not delivered' };
const STUCK: readonly Mail['status'][] = ['dead', 'held'];

/** @param isMailSent whether there is a mail server now */
function MailStatus({ email, isMailSent }: { email: Mail; isMailSent: boolean }) {
  const { status, last_error: note } = email;
  if (status === 'sent' && note !== null) return <StatusBadge tone="warn">Not sent</StatusBadge>;
  // From before Pavis noted it, so there may have been a mail server or none.
  if (status === 'sent' && !isMailSent) return <StatusBadge>Sent or saved as a file</StatusBadge>;
  return (
    <StatusBadge tone={TONES[status] ?? 'info'}>{STATUSES[status] ?? toLabel(status)}</StatusBadge>
  );
}

/** Emails to the requester and whether they were sent. */
export function Emails({ request, hasPackage }: { request: Case; hasPackage: boolean }) {
  const caseId = String(request.id);
  const emails = useQuery(emailsQuery(caseId));
  const { data: session } = useQuery(sessionQuery);
  const sending = useChange({
    change: ({ id }: Mail) => write('POST', `/mail/${id}/retry`),
    stale: [['case', caseId], ['emails']],
    done: 'The email is in the outbox again.',
  });
  return (
    <Section title="Emails">
      <QueryResult query={emails} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">No emails have been sent.</Text>
          ) : (
            <ItemList>
              {all.map((email) => (
                <Item
                  key={email.id}
                  title={
                    <>
                      {toLabel(email.kind.replace(/^dsar_/, ''))}{' '}
                      <MailStatus email={email} isMailSent={session?.is_mail_sent ?? true} />
                    </>
                  }
                  text={
                    <>
                      {formatMoment(email.sent_at ?? email.created_at)}
                      {email.recipient && ` · to ${email.recipient}`}
                      {email.last_error && ` · ${email.last_error}`}
                    </>
                  }
                  actions={
                    STUCK.includes(email.status) && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`Send again: ${toLabel(email.kind.replace(/^dsar_/, ''))}`}
                        onClick={() => sending.mutate(email)}
                      >
                        Send again
                      </Button>
                    )
                  }
                />
              ))}
            </ItemList>
          )
        }
      </QueryResult>
      <NewLink request={request} hasPackage={hasPackage} />
    </Section>
  );
}

/** Sends a new link in place of one that was lost or has expired. */
function NewLink({ request, hasPackage }: { request: Case; hasPackage: boolean }) {
  const isUnconfirmed =
    request.completed === null && request.verified_at === null && needsConfirmation(request);
  const purpose = isUnconfirmed ? 'confirm' : 'download';
  const sending = useChange({
    change: () => write('POST', `/dsar/cases/${request.id}/links`, { purpose }),
    stale: [['case', String(request.id)]],
    done: 'An email with a new link is in the outbox. Earlier links no longer work.',
  });
  const isDownloadable = request.status === 'completed' && hasPackage;
  if (request.email === null || !(isUnconfirmed || isDownloadable)) return null;
  return (
    <div>
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
