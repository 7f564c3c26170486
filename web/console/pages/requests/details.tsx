import { StatusBadge } from '../../components/badges.tsx';
import { type Fact, Facts } from '../../components/facts.tsx';
import { formatDay, formatLocal } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import { type Case, CHANNELS, type Task } from './types.ts';

/** What is known about a request and its requester. */
export function Details({ request, tasks }: { request: Case; tasks: readonly Task[] }) {
  const isClaimAccepted = tasks.some(
    ({ kind, source, status }) => kind === 'manual' && source === 'visitor_id' && status === 'done',
  );
  const facts: Fact[] = [
    [
      'Received',
      request.submitted.endsWith(' 00:00:00')
        ? formatDay(request.received_on)
        : formatLocal(request.submitted),
    ],
    ['Channel', CHANNELS[request.channel]],
    ['Representative', request.representative],
    ['Closed', request.completed && formatLocal(request.completed)],
    ['Email', request.email],
    ['Phone', request.phone],
    ['Postal address', request.postal_address],
    ['Identity confirmed', request.verified_at && formatLocal(request.verified_at)],
    ['Proof of identity', request.identity_proof],
    ['Law', request.regime === 'uk' ? 'UK GDPR' : request.regime.toUpperCase()],
    ['Visitor ID', request.visitor_id && <VisitorId id={request.visitor_id} isVerified />],
    [
      'Stated visitor ID',
      request.visitor_claim && (
        <VisitorId id={request.visitor_claim} isVerified={isClaimAccepted} />
      ),
    ],
  ];
  return (
    <Section title="Details">
      <Facts items={facts} />
    </Section>
  );
}

function VisitorId({ id, isVerified }: { id: string; isVerified: boolean }) {
  return (
    <>
      {id}{' '}
      <StatusBadge tone={isVerified ? 'good' : 'warn'}>
        {isVerified ? 'Belongs to the requester' : 'Stated, not verified'}
      </StatusBadge>
    </>
  );
}
