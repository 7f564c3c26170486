import { type Html, html } from '../../../../platform/html.ts';
import { tallyShortcomings } from '../../visits/rules.ts';
import type { Pack } from '../pack.ts';

/** Shortcomings of the banner and of consent signals on all pages, with their sources. */
export function renderShortcomings({ pages }: Pack): Html | false {
  const found = pages.flatMap(({ url: pageUrl, visits }) =>
    visits
      .flatMap(({ banner, signals }) => [...(banner?.shortcomings ?? []), ...signals.shortcomings])
      .map((shortcoming) => ({ ...shortcoming, pageUrl })),
  );
  if (found.length === 0) return false;
  const numbers = new Map(pages.map(({ url, number }) => [url, number]));
  return html`<h2>Shortcomings of the banner and of consent signals</h2>
<table>
<caption>The figures are those of the first page.</caption>
<thead><tr><th scope="col">Shortcoming</th><th scope="col">Source</th><th scope="col">Pages</th></tr></thead>
<tbody>
${tallyShortcomings(found).map(
  ({ title, explanation, source, pageUrls }) =>
    html`<tr><td><strong>${title}</strong><br>${explanation}</td><td>${source}</td><td>${pageUrls.map((url) => numbers.get(url)).join(', ')}</td></tr>\n`,
)}</tbody>
</table>`;
}
