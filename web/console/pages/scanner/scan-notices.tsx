import { Alert, List } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ScanResults, Visit } from '../../api/types.ts';
import { formatCount, formatNumber } from '../../components/format.ts';
import { CHOICES, describeOutcomes, isReached } from './outcomes.ts';
import { visitsQuery } from './queries.ts';

/** Pages that failed and anything else that the scan leaves out. */
export function ScanNotices({ results }: { results: ScanResults }) {
  const { failed_pages: failed, pages_planned: planned, notice, unseen } = results;
  const reasons = [...Map.groupBy(failed, toReason)].map(([reason, pages]) =>
    pages.length === failed.length ? reason : `${reason} (${formatNumber(pages.length)})`,
  );
  const notices = [notice, unseen].filter((text) => text !== null);
  const visits = useQuery(visitsQuery(String(results.scan_id)));
  const unreached = listUnreached(visits.data ?? []);
  if (failed.length + notices.length + unreached.length === 0) return null;
  // The owner has chosen the limit, or more pages would add nothing.
  const isAsSet =
    failed.length + unreached.length + results.robots_excluded === 0 &&
    unseen === null &&
    results.crawl_limit !== 'time' &&
    results.crawl_limit !== 'sitemaps';
  return (
    <Alert
      component="section"
      className="break"
      color={isAsSet ? 'gray' : 'yellow'}
      variant="light"
      icon={isAsSet ? <IconInfoCircle aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={isAsSet ? 'Pages left out' : 'This scan is incomplete'}
      styles={{ label: { color: 'var(--mantine-color-text)' } }}
      aria-label="Not scanned"
    >
      <List size="sm" spacing="xs">
        {failed.length > 0 && (
          <List.Item>
            {formatNumber(failed.length)} of {formatCount(planned, 'page')} could not be scanned:{' '}
            {reasons.join(', ')}.{' '}
            <Link
              to="/scanner/$id"
              params={{ id: String(results.scan_id) }}
              search={{ view: 'pages' }}
              resetScroll={false}
            >
              Show pages
            </Link>
          </List.Item>
        )}
        {unreached.map(([state, group]) => (
          <List.Item key={state}>
            {CHOICES[state]}: {describeOutcomes(state, group)} Without it, a page has no verdict for
            this state.
          </List.Item>
        ))}
        {notices.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The choices that were not made on each page, or whose visit ended early, with all their visits. */
const listUnreached = (visits: readonly Visit[]) =>
  [...Map.groupBy(visits, ({ state }) => state)].filter(
    ([state, group]) => state !== 'before' && state !== 'gpc' && !group.every(isReached),
  );

/** The HTTP status if it is the reason, else the error. */
const toReason = ({ http_status, error }: ScanResults['failed_pages'][number]): string =>
  http_status !== null && http_status >= 400 ? String(http_status) : error.replace(/\.$/, '');
