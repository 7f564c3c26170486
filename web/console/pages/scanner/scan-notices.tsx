import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ScanResults } from '../../api/types.ts';
import { formatCount, formatNumber } from '../../components/format.ts';

/** Pages that failed and anything else that the scan leaves out. */
export function ScanNotices({ results }: { results: ScanResults }) {
  const { failed_pages: failed, pages_planned: planned, notice, unseen } = results;
  const reasons = [...Map.groupBy(failed, toReason)].map(([reason, pages]) =>
    pages.length === failed.length ? reason : `${reason} (${formatNumber(pages.length)})`,
  );
  const notices = [notice, unseen].filter((text) => text !== null);
  if (failed.length === 0 && notices.length === 0) return null;
  return (
    <Alert
      component="section"
      className="break"
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="This scan is incomplete"
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
        {notices.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The HTTP status if it is the reason, else the error. */
const toReason = ({ http_status, error }: ScanResults['failed_pages'][number]): string =>
  http_status !== null && http_status >= 400 ? String(http_status) : error.replace(/\.$/, '');
