import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { getDownloadUrl, write } from '../../api/client.ts';
import { Allowed } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { useChange } from '../../components/form.tsx';
import { formatDay, formatLocal, toLabel } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { ConfirmWithReasonButton } from '../../components/reason.tsx';
import { QueryResult } from '../../components/states.tsx';
import { ActivityTimeline } from '../../components/timeline.tsx';
import { CaseActions, Note } from './actions.tsx';
import { Approval, awaitsApproval } from './approval.tsx';
import { Assignee } from './assignee.tsx';
import { formatGround } from './grounds.ts';
import { tellersOf } from './history.ts';
import { Mails } from './mails.tsx';
import { caseQuery, eventsQuery, tasksQuery } from './queries.ts';
import { isErased, nameOf, STATUS_TONES } from './requests.tsx';
import { Tasks } from './tasks.tsx';
import type { Case, Task } from './types.ts';

const route = getRouteApi('/app/requests/$id');

/** One request: who asks what, what is done, and what was. */
export function RequestScreen() {
  const { id } = route.useParams();
  const navigate = useNavigate();
  const request = useQuery(caseQuery(id));
  const events = useQuery(eventsQuery(id));
  const tasks = useQuery(tasksQuery(id));
  const hasPackage = tasks.data?.some(
    ({ kind, status }) => kind === 'package' && status === 'done',
  );
  const removing = useChange({
    change: (reason: string) => write('DELETE', `/dsar/cases/${id}`, { reason }),
    stale: [['cases'], ['deletions']],
    done: 'The request was deleted.',
    onDone: () => navigate({ to: '/requests', search: {} }),
  });
  return (
    <Page
      title={request.data?.reference ?? 'Request'}
      intro={
        request.data &&
        (isErased(request.data)
          ? `${toLabel(request.data.request_type)}, personal data of the requester erased`
          : `${toLabel(request.data.request_type)}, asked by ${nameOf(request.data)}`)
      }
      back={{ to: '/requests', label: 'Requests' }}
      actions={
        hasPackage && (
          <Button
            component="a"
            variant="default"
            href={getDownloadUrl(`/dsar/cases/${id}/package`)}
            leftSection={<IconDownload size={16} />}
          >
            Package
          </Button>
        )
      }
    >
      <QueryResult query={request} lines={10}>
        {(data) => (
          <div className="wide-narrow">
            <div className="stack">
              <Facts request={data} />
              {isDecidable(data) && tasks.data?.some(awaitsApproval) && <Approval caseId={id} />}
              <QueryResult query={tasks} lines={4}>
                {(all) => <Sources request={data} tasks={all} />}
              </QueryResult>
              <Mails request={data} hasPackage={hasPackage === true} />
              <section className="card">
                <h2>Activity</h2>
                <QueryResult query={events} lines={4}>
                  {(all) => (
                    <ActivityTimeline events={all} formatters={tellersOf(tasks.data ?? [])} />
                  )}
                </QueryResult>
                <Note caseId={id} />
              </section>
            </div>
            <div className="stack">
              {!isErased(data) && <CaseActions request={data} />}
              {data.completed === null && <Assignee request={data} />}
              <Allowed>
                <section className="card stack">
                  <ConfirmWithReasonButton
                    title={`Delete ${data.reference}?`}
                    text="The request and all that belongs to it is gone for good. To keep the proof, close it instead. The log of deleted requests keeps its reference, its dates and the reason."
                    label="Reason"
                    confirm="Delete"
                    maxLength={1000}
                    isBusy={removing.isPending}
                    onConfirm={(reason) => removing.mutate(reason)}
                    button={(open) => (
                      <Button variant="subtle" color="red" onClick={open}>
                        Delete this request
                      </Button>
                    )}
                  />
                </section>
              </Allowed>
            </div>
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

/** What is done in each source; those that wait for a decision are listed where it is taken. */
function Sources({ request, tasks }: { request: Case; tasks: readonly Task[] }) {
  const shown = isDecidable(request) ? tasks.filter((each) => !awaitsApproval(each)) : tasks;
  if (tasks.length > 0 && shown.length === 0) return null;
  return (
    <section className="card">
      <h2>Sources</h2>
      <Tasks tasks={shown} requestType={request.request_type} />
    </section>
  );
}

const isDecidable = ({ status }: Case): boolean => status === 'in_progress';

function Facts({ request }: { request: Case }) {
  return (
    <section className="card">
      <h2>The request</h2>
      {!request.email && (request.postal_address || request.phone) && (
        <p>
          The request has no email address, so no emails are sent.{' '}
          {request.postal_address
            ? 'Send the answer by post.'
            : 'Call the person to arrange how the answer is sent.'}
        </p>
      )}
      <dl className="facts">
        <dt>Status</dt>
        <dd>
          <StatusBadge tone={STATUS_TONES[request.status]}>{toLabel(request.status)}</StatusBadge>
        </dd>
        {request.ground && (
          <>
            <dt>Ground</dt>
            <dd>{formatGround(request.ground)}</dd>
          </>
        )}
        <dt>Deadline</dt>
        <dd>
          {formatDay(request.deadline)}{' '}
          {request.overdue && !request.completed && <StatusBadge tone="bad">Past</StatusBadge>}{' '}
          {request.extended && <StatusBadge tone="info">Extended</StatusBadge>}{' '}
          {request.paused_since && (
            <StatusBadge>Paused since {formatDay(request.paused_since)}</StatusBadge>
          )}
        </dd>
        <dt>Received</dt>
        <dd>
          {request.submitted.endsWith(' 00:00:00')
            ? formatDay(request.received_on)
            : formatLocal(request.submitted)}
        </dd>
        <dt>Channel</dt>
        <dd>{toLabel(request.channel)}</dd>
        {request.representative && (
          <>
            <dt>Representative</dt>
            <dd>{request.representative}</dd>
          </>
        )}
        {request.completed && (
          <>
            <dt>Closed</dt>
            <dd>{formatLocal(request.completed)}</dd>
          </>
        )}
        {request.email && (
          <>
            <dt>E-mail</dt>
            <dd>
              {request.email}{' '}
              {request.verified_at && !request.identity_proof && (
                <StatusBadge tone="good">Confirmed {formatLocal(request.verified_at)}</StatusBadge>
              )}
              {!request.verified_at && <StatusBadge tone="warn">Not confirmed</StatusBadge>}
            </dd>
          </>
        )}
        {(!request.email || request.identity_proof) && (
          <>
            <dt>Identity</dt>
            <dd>
              {request.verified_at ? (
                <>
                  <StatusBadge tone="good">Established</StatusBadge>{' '}
                  {formatLocal(request.verified_at)}
                </>
              ) : (
                <StatusBadge tone="warn">Not established</StatusBadge>
              )}
            </dd>
          </>
        )}
        {request.identity_proof && (
          <>
            <dt>Proof of identity</dt>
            <dd style={{ whiteSpace: 'pre-wrap' }}>{request.identity_proof}</dd>
          </>
        )}
        {request.postal_address && (
          <>
            <dt>Postal address</dt>
            <dd style={{ whiteSpace: 'pre-wrap' }}>{request.postal_address}</dd>
          </>
        )}
        {request.phone && (
          <>
            <dt>Phone</dt>
            <dd>{request.phone}</dd>
          </>
        )}
        <dt>Assignee</dt>
        <dd>{request.assignee ?? 'Unassigned'}</dd>
        <dt>Law</dt>
        <dd>{request.regime.toUpperCase()}</dd>
        {(request.visitor_id ?? request.visitor_claim) && (
          <>
            <dt>Visitor ID</dt>
            <dd className="break">
              {request.visitor_id ?? request.visitor_claim}{' '}
              {request.visitor_id ? (
                <StatusBadge tone="good">Belongs to the requestor</StatusBadge>
              ) : (
                <StatusBadge tone="warn">Stated, not checked</StatusBadge>
              )}
            </dd>
          </>
        )}
        {request.additional_info && (
          <>
            <dt>Message from the requester</dt>
            <dd style={{ whiteSpace: 'pre-wrap' }}>{request.additional_info}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
