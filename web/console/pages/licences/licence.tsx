import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { write } from '../../api/client.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { formatCount, formatDay, formatMoment, toLabel } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { Secret } from '../../components/secret.tsx';
import { QueryResult } from '../../components/states.tsx';
import { ActivityTimeline } from '../../components/timeline.tsx';
import { LicenceActions } from './actions.tsx';
import { CustomerCard } from './customer.tsx';
import { TELLERS } from './history.ts';
import { NoDesk } from './no-desk.tsx';
import {
  CAUSES,
  DELETED_CUSTOMER,
  DESK,
  type KeyShown,
  type LicenceDetail,
  licenceQuery,
  NEVER,
  STALE,
  STATUS_TONES,
} from './queries.ts';

const route = getRouteApi('/inside/licences/$id');

/** One licence: what it is, where it is in use, and what was done to it. */
export function LicenceScreen() {
  const { id } = route.useParams();
  const licence = useQuery(licenceQuery(id));
  const [rerolled, setRerolled] = useState<KeyShown>();
  return (
    <Page
      title={licence.data ? (licence.data.email ?? DELETED_CUSTOMER) : 'Licence'}
      {...(licence.data && { intro: <span className="mono">{licence.data.key}</span> })}
      back={{ to: '/licences', label: 'Licences' }}
    >
      <QueryResult query={licence} lines={10} absent={<NoDesk />}>
        {(data) => (
          <div className="wide-narrow">
            <div className="stack">
              {rerolled && <Secret label="New licence key" value={rerolled.licence_key} />}
              <Facts licence={data} />
              <Sites licence={data} />
            </div>
            <div className="stack">
              <LicenceActions licence={data} onRerolled={setRerolled} />
              <CustomerCard licenceId={data.id} />
            </div>
            <section className="card">
              <h2>What happened</h2>
              <ActivityTimeline events={data.events.toReversed()} formatters={TELLERS} />
            </section>
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

function Facts({ licence }: { licence: LicenceDetail }) {
  return (
    <section className="card">
      <h2>The licence</h2>
      <dl className="facts">
        <dt>Status</dt>
        <dd>
          <StatusBadge tone={STATUS_TONES[licence.status]}>{toLabel(licence.status)}</StatusBadge>{' '}
          {licence.mode === 'test' && <StatusBadge tone="info">Test</StatusBadge>}
        </dd>
        {licence.restrictions.map(({ effect, cause, since, actor }) => (
          <Fragment key={`${effect} ${cause} ${since}`}>
            <dt>{toLabel(effect)}</dt>
            <dd>
              {CAUSES[cause]}
              {cause === 'manual' && ` by ${actor}`}, since {formatMoment(since)}
            </dd>
          </Fragment>
        ))}
        <dt>Tier</dt>
        <dd>{toLabel(licence.tier)}</dd>
        <dt>Ends</dt>
        <dd>
          {licence.expires_at === NEVER ? 'Never' : `${formatDay(licence.expires_at)} (UTC)`}
          {licence.grace_days > 0 &&
            (licence.paid_until === licence.expires_at
              ? `, and ${formatCount(licence.grace_days, 'day')} of grace`
              : ', the end of the grace period')}
        </dd>
        {licence.paid_until !== licence.expires_at && (
          <>
            <dt>Paid until</dt>
            <dd>{formatDay(licence.paid_until)} (UTC)</dd>
          </>
        )}
        <dt>Issued</dt>
        <dd>{formatMoment(licence.issued_at)}</dd>
        <dt>Development sites</dt>
        <dd>{licence.development_sites_free ? 'Take no slot' : 'Take slots like others'}</dd>
        {licence.notes && (
          <>
            <dt>Notes</dt>
            <dd className="break" style={{ whiteSpace: 'pre-wrap' }}>
              {licence.notes}
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd className="mono">{licence.id}</dd>
      </dl>
    </section>
  );
}

function Sites({ licence }: { licence: LicenceDetail }) {
  const { activations, sites_used, sites_allowed } = licence;
  const inUse = activations.filter(({ deactivated_at }) => deactivated_at === null);
  const past = activations.filter(({ deactivated_at }) => deactivated_at !== null);
  return (
    <section className="card">
      <h2>
        Sites: {sites_used} of {sites_allowed} slots in use
      </h2>
      {licence.notice && (
        <div className="notice warn">
          <div>{licence.notice}</div>
        </div>
      )}
      {activations.length === 0 && (
        <p className="soft" style={{ margin: 0 }}>
          No site was ever activated with it.
        </p>
      )}
      <ul className="plain">
        {inUse.map((each) => (
          <Site key={each.id} licenceId={licence.id} activation={each} />
        ))}
        {past.toReversed().map((each) => (
          <li className="notice" key={each.id}>
            <div className="soft">
              <span className="break">{each.site_url}</span>
              <br />
              <span className="small">
                {formatMoment(each.activated_at)} to {formatMoment(each.deactivated_at)}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Site({
  licenceId,
  activation: { id, site_url, activated_at },
}: {
  licenceId: string;
  activation: LicenceDetail['activations'][number];
}) {
  const releasing = useChange({
    change: () => write('POST', `${DESK}/${licenceId}/release`, { activation_id: id }),
    stale: STALE,
    done: `${site_url} is off the licence.`,
  });
  return (
    <li className="notice">
      <div>
        <strong className="break">{site_url}</strong>
        <span className="soft small">Since {formatMoment(activated_at)}</span>
      </div>
      <ConfirmButton
        title="Take this site off the licence?"
        text={`${site_url} is no longer valid from its next check on, and its slot is free. The site may activate itself again.`}
        confirm="Release"
        isBusy={releasing.isPending}
        onConfirm={() => releasing.mutate(undefined)}
        button={(open) => (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Release ${site_url}`}
            onClick={open}
          >
            Release
          </Button>
        )}
      />
    </li>
  );
}
