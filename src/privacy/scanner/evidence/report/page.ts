import { toIsoMoment } from '../../../../platform/clock.ts';
import { type Html, html } from '../../../../platform/html.ts';
import type { SavedFinding } from '../../findings/store.ts';
import { VERDICTS } from '../../verdicts/verdict.ts';
import type { SavedVisit } from '../../visits/store.ts';
import { type PackPage, toPicturePath } from '../pack.ts';
import { describeOutcome, STATE_LABELS, VERDICT_TEXTS } from '../texts.ts';

/** Reads what is too large to keep for all pages. */
export interface ReportSources {
  findPicture: (visitId: number) => Promise<{ bytes: Buffer | null } | undefined>;
  listFindings: (pageId: number) => Promise<SavedFinding[]>;
}

const NOT_ACCUSED = new Set(['cookieless_ping', 'blocked_until_consent', 'strictly_necessary']);

/** A page with its visits and findings. */
export async function renderPage(
  page: PackPage,
  findings: readonly SavedFinding[],
  sources: ReportSources,
): Promise<Html> {
  const { number, url, visits, isPartial } = page;
  const figures: Html[] = [];
  for (const visit of visits) figures.push(await renderVisit(page, visit, sources));
  return html`<section>
<h3>Page ${number}: <code>${url}</code></h3>
${isPartial && html`<p>The page was not scanned completely: there may be more findings.</p>`}
${figures.length > 0 && html`<div class="visits">${figures}</div>`}
${renderFindings(findings)}
</section>
`;
}

async function renderVisit(
  page: PackPage,
  visit: SavedVisit,
  { findPicture }: ReportSources,
): Promise<Html> {
  const { state, outcome, clicks, visitedAt, error, hasPicture } = visit;
  const label = STATE_LABELS[state];
  const picture = hasPicture ? (await findPicture(visit.id))?.bytes : undefined;
  return html`<figure>
${
  picture &&
  html`<img src="data:image/jpeg;base64,${picture.toString('base64')}" alt="The page ${label.toLowerCase()}">`
}
<figcaption>
<strong>${label}</strong><br>
${describeOutcome(state, outcome)}${error !== null && html` ${error}`}<br>
Clicks: ${clicks}. ${toIsoMoment(visitedAt)}
${picture && html`<br><code>${toPicturePath(page, visit)}</code>`}
</figcaption>
</figure>
`;
}

function renderFindings(findings: readonly SavedFinding[]): Html {
  if (findings.length === 0) return html`<p>No findings on this page.</p>`;
  return html`<table class="findings">
<caption>Findings: ${findings.length}</caption>
<thead><tr><th scope="col">Verdict</th><th scope="col">Resource</th><th scope="col">Evidence: state, moment, request and initiator</th></tr></thead>
<tbody>
${findings.toSorted(byVerdict).map(renderFinding)}</tbody>
</table>`;
}

/** Sorts by the moment at which a visitor is first affected; findings without a verdict come last. */
const byVerdict = (a: SavedFinding, b: SavedFinding): number => rank(a) - rank(b) || a.id - b.id;

const rank = ({ verdict, needsConsent }: SavedFinding): number => {
  if (verdict !== null) return VERDICTS.indexOf(verdict);
  return needsConsent ? -1 : VERDICTS.length;
};

function renderFinding(finding: SavedFinding): Html {
  const { resourceType, name, url, vendor, category, verdicts, needsConsent, evidence } = finding;
  // Scans of earlier versions may have evidence of a cookie that they took for rejected.
  const reasons = evidence.length === 0 ? finding.details.blocked_reasons : undefined;
  const names = verdicts.map((verdict) => html`${VERDICT_TEXTS[verdict].label}<br>`);
  const isAccused = verdicts.some((verdict) => !NOT_ACCUSED.has(verdict));
  const none = needsConsent ? 'Loaded before consent' : 'None';
  const verdict = names.length > 0 ? names : none;
  const about = [resourceType, vendor?.name, category ?? 'not classified'].filter(Boolean);
  return html`<tr>
<td>${isAccused ? html`<span class="accused">${verdict}</span>` : verdict}</td>
<td><strong>${name}</strong><br>${about.join(', ')}<br><code>${url}</code>${Array.isArray(reasons) && html`<br>The browser rejected it: ${reasons.join(', ')}`}</td>
<td>${
    evidence.length > 0
      ? html`<ul>${evidence.map(renderEvidence)}</ul>`
      : `Not seen at work. Found in: ${finding.sources.join(', ')}`
  }</td>
</tr>
`;
}

const renderEvidence = ({ state, url, initiator, atMs }: SavedFinding['evidence'][number]): Html =>
  html`<li>${STATE_LABELS[state]}, ${(atMs / 1_000).toFixed(1)} s after the visit began: <code>${url}</code>${
    initiator !== null && html`, caused by <code>${initiator}</code>`
  }</li>`;
