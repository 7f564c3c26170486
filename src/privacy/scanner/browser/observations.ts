import { htmlThread } from '../html/html-thread.ts';
import type { Observation } from '../observation.ts';
import type { VisitPhases } from './evidence.ts';
import { mergeObservations } from './merge-observations.ts';
import { listKept, listNetworkObservations } from './network-observations.ts';
import type { Recorder } from './recorder.ts';
import type { VisitProgress } from './simulate-visitor.ts';
import type { Snapshot } from './snapshot.ts';

/** For all documents of a page. */
const HTML_MAX = 3_000_000;

/** Observations of the visit in which the banner is accepted. @param phases the states that the visit stands for */
export async function listObservations(
  recorder: Recorder,
  findings: VisitProgress,
  phases: VisitPhases,
): Promise<Observation[]> {
  const { before, after } = findings;
  const known = new Set<string>();
  const snapshots = [before, after].filter((each) => each !== undefined);
  const found: Observation[] = [
    ...listNetworkObservations(recorder, snapshots, phases),
    ...(await markup(recorder, findings)),
  ];
  for (const [snapshot, consentState] of [
    [before, 'before'],
    [after, 'after'],
  ] as const) {
    if (!snapshot) continue;
    found.push(...listKept(recorder, snapshot, consentState, phases));
    found.push(...(await inDocuments(snapshot, consentState, known, findings)));
  }
  return mergeObservations(found);
}

/** Observations from the original HTML, before scripts changed it. */
async function markup({ main }: Recorder, findings: VisitProgress): Promise<Observation[]> {
  if (!main?.body) return [];
  return read(main.body, main.url, findings);
}

/** @param known documents that were read before */
async function inDocuments(
  snapshot: Snapshot,
  consentState: 'before' | 'after',
  known: Set<string>,
  findings: VisitProgress,
): Promise<Observation[]> {
  const found: Observation[] = [];
  let left = HTML_MAX;
  for (const frame of snapshot.frames) {
    if (known.has(frame.html) || frame.html.length > left) continue;
    known.add(frame.html);
    left -= frame.html.length;
    const pageUrl = /^https?:/.test(frame.url) ? frame.url : frame.base;
    for (const seen of await read(frame.html, pageUrl, findings)) {
      const sources = seen.sources.map((source) => (source === 'html' ? 'dom' : source));
      found.push({ ...seen, sources, consentState });
    }
  }
  return found;
}

/** Returns nothing if the document is too large; the result is then marked as incomplete. */
async function read(
  html: string,
  pageUrl: string,
  findings: VisitProgress,
): Promise<Observation[]> {
  const found = await htmlThread.observe(html, { pageUrl, setCookies: [], headers: {} });
  if (!found) findings.cutShort = true;
  return found ?? [];
}
