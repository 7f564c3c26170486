import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isMissingRoute, settingsQuery } from '../../api/queries.ts';
import type { Scan } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { LoadingState } from '../../components/states.tsx';
import { refusedOriginsQuery, versionsQuery } from '../consent/queries.ts';
import { deadMailsQuery, openRequestsQuery } from '../requests/queries.ts';
import { summaryQuery } from '../scanner/queries.ts';
import { activeScriptsQuery } from '../scripts/queries.ts';
import { healthQuery, siteLicenceQuery } from '../system-queries.ts';
import {
  matterIf,
  mattersOfMails,
  mattersOfOrigins,
  mattersOfRequests,
  mattersOfScan,
  mattersOfTexts,
} from './matters.tsx';

/** What needs somebody today, the worst first, each with the way to where it is mended. */
export function Attention({ last, scans }: { last: Scan | undefined; scans: UseQueryResult }) {
  const results = useQuery({ ...summaryQuery(String(last?.scan_id)), enabled: last !== undefined });
  const enabled = useCan('manage_privacy_requests');
  const requests = useQuery({ ...openRequestsQuery, enabled });
  const mails = useQuery({ ...deadMailsQuery, enabled });
  const settings = useQuery(settingsQuery);
  const scripts = useQuery(activeScriptsQuery);
  const isTranslated = (settings.data?.consent.translations.length ?? 0) > 0;
  const versions = useQuery({ ...versionsQuery, enabled: isTranslated });
  const origins = useQuery(refusedOriginsQuery);
  const health = useQuery(healthQuery);
  const licence = useQuery(siteLicenceQuery);
  const parts = [
    scans,
    results,
    requests,
    mails,
    settings,
    scripts,
    versions,
    origins,
    health,
    licence,
  ];
  const missing = parts.filter(({ error }) => error !== null && !isMissingRoute(error));
  if (parts.some(({ isLoading }) => isLoading)) return <LoadingState lines={3} />;
  const known = scripts.data ?? [];
  const matters = [
    ...matterIf(health.data?.isWell === false, {
      tone: 'bad',
      title: 'The server is not well',
      text: health.data?.message ?? '',
      action: <Link to="/system">See</Link>,
    }),
    ...matterIf(licence.data?.valid === false && licence.data.key !== null, {
      tone: 'warn',
      title: 'The licence needs a look',
      text: licence.data?.message ?? '',
      action: <Link to="/system">See</Link>,
    }),
    ...mattersOfRequests(requests.data?.items ?? []),
    ...mattersOfMails(mails.data ?? []),
    ...(last && results.data ? mattersOfScan(last, results.data, known) : []),
    ...(settings.data ? mattersOfTexts(settings.data.consent, versions.data ?? [], known) : []),
    ...mattersOfOrigins(origins.data ?? []),
    ...matterIf(missing.length > 0, {
      tone: 'warn',
      title: 'Not everything could be looked at',
      text: missing[0]?.error?.message ?? '',
      action: (
        <Button variant="default" onClick={() => missing.forEach(({ refetch }) => void refetch())}>
          Try again
        </Button>
      ),
    }),
  ].sort((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'));
  if (matters.length === 0 && !last) {
    return <p className="soft">Nothing is known yet: the first steps come first.</p>;
  }
  if (matters.length === 0) {
    return (
      <div className="notice good">
        <IconCircleCheck size={22} />
        <div>
          <strong>All is well</strong>
          <span className="soft">
            No request is due, every vendor that was found is in the data map, and no finding is
            open.
          </span>
        </div>
      </div>
    );
  }
  return (
    <ul className="plain">
      {matters.map(({ tone, title, text, action }) => (
        <li className={`notice ${tone}`} key={title}>
          <IconAlertTriangle size={22} />
          <div>
            <strong>{title}</strong>
            <span className="soft break">{text}</span>
          </div>
          <span className="way">{action}</span>
        </li>
      ))}
    </ul>
  );
}
