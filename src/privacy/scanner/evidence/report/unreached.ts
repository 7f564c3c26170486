import { type Html, html } from '../../../../platform/html.ts';
import { CRAWL_LIMIT_TEXTS } from '../../results/rules.ts';
import type { Pack } from '../pack.ts';
import { describeOutcome, STATE_LABELS } from '../texts.ts';

/** Pages and states that were not reached or not read completely, and why. */
export function renderUnreached({ scan, pages }: Pack): Html {
  const rows: [page: string, state: string, reason: string][] = [];
  const hadBrowser = pages.some(({ visits }) => visits.length > 0);
  for (const { url, state, error, visits } of pages) {
    if (state !== 'scanned') {
      const reason = error ?? 'The scan ended before this page.';
      rows.push([url, 'All', reason]);
      continue;
    }
    if (hadBrowser && visits.length === 0) rows.push([url, 'All', 'No browser was available.']);
    for (const visit of visits) {
      if (visit.outcome === 'reached' && visit.error === null) continue;
      const reason = [describeOutcome(visit.state, visit.outcome), visit.error];
      rows.push([url, STATE_LABELS[visit.state], reason.filter(Boolean).join(' ')]);
    }
  }
  const byRobots =
    scan.robotsExcluded > 0 &&
    html`<p>robots.txt kept ${scan.robotsExcluded === 1 ? '1 page' : `${scan.robotsExcluded} pages`} out of the scan.</p>`;
  const byLimit = scan.crawlLimit && html`<p>${CRAWL_LIMIT_TEXTS[scan.crawlLimit]}</p>`;
  const excluded = (byRobots || byLimit) && html`${byRobots}${byLimit}`;
  if (rows.length === 0)
    return html`<h2>Not reached or incomplete</h2>
${excluded || html`<p>All pages of the scan were reached in all states that were recorded.</p>`}`;
  return html`<h2>Not reached or incomplete</h2>
${excluded}
<table>
<thead><tr><th scope="col">Page</th><th scope="col">State</th><th scope="col">Reason</th></tr></thead>
<tbody>
${rows.map(([page, state, reason]) => html`<tr><td><code>${page}</code></td><td>${state}</td><td>${reason}</td></tr>\n`)}</tbody>
</table>`;
}
