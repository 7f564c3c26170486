import { Link } from '@tanstack/react-router';
import type { ScanResults } from '../../api/types.ts';
import { formatCount, formatNumber } from '../../components/format.ts';

/** What a scan could not look at or leaves out, which a reader of its figures has to know. */
export function UnseenPages({ results }: { results: ScanResults }) {
  const { failed_pages: failed, pages_planned: planned, notice, unseen } = results;
  const reasons = [...Map.groupBy(failed, toReason)].map(([reason, pages]) =>
    pages.length === failed.length ? reason : `${reason} (${formatNumber(pages.length)})`,
  );
  if (failed.length === 0 && !notice && !unseen) return null;
  return (
    <section className="card stack" style={{ marginTop: '1.25rem' }} aria-label="Not scanned">
      {failed.length > 0 && (
        <p>
          {formatNumber(failed.length)} of {formatCount(planned, 'page')} could not be looked at:{' '}
          {reasons.join(', ')}.{' '}
          <Link
            to="/scanner/$id"
            params={{ id: String(results.scan_id) }}
            search={{ view: 'pages' }}
            resetScroll={false}
          >
            Show pages
          </Link>
        </p>
      )}
      {[notice, unseen].map((text) => text && <p key={text}>{text}</p>)}
    </section>
  );
}

/** An HTTP status where it is the reason, else words. */
const toReason = ({ http_status, error }: ScanResults['failed_pages'][number]): string =>
  http_status !== null && http_status >= 400 ? String(http_status) : error.replace(/\.$/, '');
