import { Button, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { write } from '../../api/client.ts';
import { getDownloadUrl } from '../../api/downloads.ts';
import { Allowed } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { useChange } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { ConfirmWithReasonButton } from '../../components/reason.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { ActivityTimeline } from '../../components/timeline.tsx';
import { CaseActions, Note } from './actions.tsx';
import { Approval, awaitsApproval } from './approval.tsx';
import { Assignee } from './assignee.tsx';
import { Deadline } from './deadline.tsx';
import { Details } from './details.tsx';
import { Emails } from './emails.tsx';
import { formatGround } from './grounds.ts';
import { createEventFormatters } from './history.ts';
import { needsConfirmation } from './opt-out.ts';
import { caseQuery, eventsQuery, tasksQuery } from './queries.ts';
import { getName, isErased, STATUS_TONES } from './requests.tsx';
import { Tasks } from './tasks.tsx';
import { CASE_STATUSES, type Case, REQUEST_TYPES, type Task } from './types.ts';

const route = getRouteApi('/app/requests/$id');

/** One request: status and actions, the requester's message, emails, sources and activity. */
export function RequestScreen() {
  const { id } = route.useParams();
  const request = useQuery(caseQuery(id));
  const events = useQuery(eventsQuery(id));
  const tasks = useQuery(tasksQuery(id));
  const hasPackage = tasks.data?.some(
    ({ kind, status }) => kind === 'package' && status === 'done',
  );
  return (
    <Page
      title={request.data?.reference ?? 'Request'}
      intro={
        request.data &&
        (isErased(request.data)
          ? `${REQUEST_TYPES[request.data.request_type]} request, personal data of the requester erased`
          : `${REQUEST_TYPES[request.data.request_type]} request from ${getName(request.data)}`)
      }
      back={{ to: '/requests', label: 'Requests' }}
      actions={
        hasPackage && (
          <Button
            component="a"
            variant="default"
            href={getDownloadUrl(`/dsar/cases/${id}/package`)}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Package
          </Button>
        )
      }
    >
      <QueryResult query={request} lines={10}>
        {(data) => (
          <Stack>
            <Card withBorder component="section" aria-label="Status">
              <Stack>
                <Summary request={data} />
                {!isErased(data) && <CaseActions request={data} />}
              </Stack>
            </Card>
            <Grid gap="md" align="flex-start">
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Stack>
                  {data.additional_info && (
                    <Section title="Message from the requester">
                      <Text className="multiline">{data.additional_info}</Text>
                    </Section>
                  )}
                  {isDecidable(data) && tasks.data?.some(awaitsApproval) && (
                    <Approval caseId={id} />
                  )}
                  <Emails request={data} hasPackage={hasPackage === true} />
                  <QueryResult query={tasks} lines={4}>
                    {(all) => <Sources request={data} tasks={all} />}
                  </QueryResult>
                  <Details request={data} tasks={tasks.data ?? []} />
                </Stack>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }}>
                <Stack>
                  {data.completed === null && <Assignee request={data} />}
                  <Section title="Activity">
                    <QueryResult query={events} lines={4}>
                      {(all) => (
                        <ActivityTimeline
                          events={all}
                          formatters={createEventFormatters(tasks.data ?? [])}
                        />
                      )}
                    </QueryResult>
                    {!isErased(data) && <Note caseId={id} />}
                  </Section>
                  <Allowed>
                    <DeleteRequest request={data} />
                  </Allowed>
                </Stack>
              </Grid.Col>
            </Grid>
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

function DeleteRequest({ request: { id, reference } }: { request: Case }) {
  const navigate = useNavigate();
  const deleting = useChange({
    change: (reason: string) => write('DELETE', `/dsar/cases/${id}`, { reason }),
    stale: [['cases'], ['deletions']],
    done: 'The request was deleted.',
    onDone: () => navigate({ to: '/requests', search: {}, ignoreBlocker: true }),
  });
  return (
    <div>
      <ConfirmWithReasonButton
        field="delete"
        title={`Delete ${reference}?`}
        text="The request and all its data are deleted permanently. To keep it as evidence, close it instead. The log of deleted requests keeps its reference, its dates and the reason."
        label="Reason"
        confirm="Delete"
        maxLength={1000}
        isBusy={deleting.isPending}
        onConfirm={(reason, then) => deleting.mutate(reason, then)}
        button={(open) => (
          <Button variant="subtle" color="red" onClick={open}>
            Delete request
          </Button>
        )}
      />
    </div>
  );
}

/** Sources without those that are listed for approval. */
function Sources({ request, tasks }: { request: Case; tasks: readonly Task[] }) {
  const shown = isDecidable(request) ? tasks.filter((each) => !awaitsApproval(each)) : tasks;
  if (tasks.length > 0 && shown.length === 0) return null;
  return (
    <Section title="Sources">
      <Tasks tasks={shown} requestType={request.request_type} />
    </Section>
  );
}

const isDecidable = ({ status }: Case): boolean => status === 'in_progress';

function Summary({ request }: { request: Case }) {
  return (
    <>
      <Group component="dl" gap="md" style={{ columnGap: '2rem' }} align="flex-start" m={0}>
        <SummaryItem label="Status">
          <StatusBadge tone={STATUS_TONES[request.status]}>
            {CASE_STATUSES[request.status]}
          </StatusBadge>
        </SummaryItem>
        {request.ground && <SummaryItem label="Ground">{formatGround(request.ground)}</SummaryItem>}
        <SummaryItem label="Deadline">
          <Deadline request={request} />{' '}
          {request.extended && <StatusBadge tone="info">Extended</StatusBadge>}
        </SummaryItem>
        <SummaryItem label="Identity">
          {request.verified_at ? (
            <StatusBadge tone="good">
              {request.email && !request.identity_proof ? 'Email confirmed' : 'Established'}
            </StatusBadge>
          ) : !needsConfirmation(request) ? (
            'Not required'
          ) : (
            <StatusBadge tone="warn">
              {request.email && !request.identity_proof ? 'Email not confirmed' : 'Not established'}
            </StatusBadge>
          )}
        </SummaryItem>
        <SummaryItem label="Assignee">{request.assignee ?? 'Unassigned'}</SummaryItem>
      </Group>
      {!request.email && (request.postal_address || request.phone) && (
        <Text size="sm">
          This request has no email address, so no emails are sent.{' '}
          {request.postal_address
            ? 'Send the response by post.'
            : 'Call the requester to arrange how to send the response.'}
        </Text>
      )}
    </>
  );
}

function SummaryItem({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <dd style={{ margin: 0 }}>{children}</dd>
    </div>
  );
}
