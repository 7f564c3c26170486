import { toIsoMoment } from '../../../../platform/clock.ts';
import { type Html, html } from '../../../../platform/html.ts';
import { listUnrecorded, type Pack } from '../pack.ts';
import { LIMITS, STATE_LABELS, STATE_METHODS, VERDICT_TEXTS } from '../texts.ts';
import { type ReportSources, renderPage } from './page.ts';
import { renderShortcomings } from './shortcomings.ts';
import { STYLE } from './style.ts';
import { renderUnreached } from './unreached.ts';

/** The report as one HTML document with its pictures, page by page. */
export async function* renderReport(pack: Pack, sources: ReportSources): AsyncGenerator<string> {
  yield renderHead(pack);
  for (const page of pack.pages) {
    const findings = await sources.listFindings(page.id);
    // A page that has crashed the browser keeps what was seen of it.
    if (page.state === 'scanned' || findings.length > 0)
      yield (await renderPage(page, findings, sources)).text;
  }
  yield html`${renderUnreached(pack)}
<h2>Limits of the method</h2>
<ul>${LIMITS.map((each) => html`<li>${each}</li>`)}</ul>
</main>
</body>
</html>
`.text;
}

function renderHead(pack: Pack): string {
  const { scan } = pack;
  const title = `Scan ${scan.id} of ${scan.siteUrl}`;
  const body = html`</head>
<body>
<header>
<h1>${title}</h1>
<p>What the site loads and stores before and after a visitor’s choice, as observed by Pavis.</p>
</header>
<main>
${renderFacts(pack)}
${renderMissing(pack)}
<h2>Method</h2>
<p>Each page is opened in a browser in the states below. The scanner records every request, cookie and storage entry, and what caused it. A finding gets its verdict from the states in which it was at work: requested from the network, set, or stored. What only stands in the markup is not counted as at work.</p>
<dl>${scan.states.map((state) => html`<dt>${STATE_LABELS[state]}</dt><dd>${STATE_METHODS[state]}</dd>`)}</dl>
${renderSummary(pack)}
${renderShortcomings(pack)}
<h2>Pages</h2>
`.text;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
${html`<title>${title}</title>`.text}
<style>${STYLE}</style>
${body}`;
}

/** Without a browser since some page, if it was not available any more. */
const describeBrowser = ({ scan, pages }: Pack): string => {
  if (scan.engine !== 'html') return scan.engine;
  return pages.some(({ visits }) => visits.length > 0)
    ? 'For some pages only: the HTML of the others was read without a browser'
    : 'None: the HTML was read without a browser';
};

function renderFacts(pack: Pack): Html {
  const { scan, counts, bannerVersion } = pack;
  const facts: [label: string, value: string | null][] = [
    ['Site', scan.siteUrl],
    ['Started', toIsoMoment(scan.startedAt)],
    ['Ended', scan.completedAt === null ? 'Not completed' : toIsoMoment(scan.completedAt)],
    ['Status', scan.status],
    ['Browser', describeBrowser(pack)],
    ['States', scan.states.map((state) => STATE_LABELS[state]).join(', ')],
    ['Crawl depth', String(scan.depth)],
    [
      'Pages',
      `${counts.pages} scanned, ${counts.pagesFailed} failed, ${counts.pagesPlanned} in all`,
    ],
    ['Pages left out by robots.txt', String(scan.robotsExcluded)],
    [
      'Pavis banner',
      bannerVersion === null ? null : `Version ${bannerVersion} was in force when the scan started`,
    ],
  ];
  return html`<dl>${facts.map(([label, value]) => value !== null && html`<dt>${label}</dt><dd>${value}</dd>\n`)}</dl>`;
}

function renderMissing(pack: Pack): Html | false {
  const missing = listUnrecorded(pack);
  if (missing.length === 0) return false;
  return html`<h2>Not recorded, or removed</h2>
<div class="missing"><ul>${missing.map((each) => html`<li>${each}</li>`)}</ul></div>`;
}

function renderSummary({ verdicts, counts }: Pack): Html {
  if (verdicts.length === 0)
    return html`<h2>Verdicts</h2>
<p>This scan has no verdicts. ${counts.beforeConsent} of ${counts.findings} findings loaded before consent although they require it.</p>`;
  return html`<h2>Verdicts</h2>
<table>
<caption>Findings on all pages. A finding can have several verdicts.</caption>
<thead><tr><th scope="col">Verdict</th><th scope="col">Findings</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${verdicts.map(
  ({ verdict, count }) =>
    html`<tr><td>${VERDICT_TEXTS[verdict].label}</td><td>${count}</td><td>${VERDICT_TEXTS[verdict].explanation}</td></tr>\n`,
)}</tbody>
</table>`;
}
