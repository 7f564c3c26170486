import type { Interval, Price } from '../licensing/checkout/index.ts';
import { html } from '../platform/html.ts';
import type { Page } from '../platform/http/page-document.ts';
import { capital, pageOf } from './account-views.ts';

const TIERS: Record<string, string> = {
  starter: 'One site, with requests of data subjects.',
  pro: 'Three sites, with retention, reports and integrations as well.',
  agency: 'Twenty-five sites under your own name.',
};

interface Purchase {
  sold: readonly Price[];
  chosen: { tier?: string | undefined; interval?: string | undefined } | undefined;
  wrong?: string;
}

const INTERVALS: Record<Interval, string> = {
  year: 'Every year',
  month: 'Every month',
  once: 'Once: it never ends',
};

export function buyPage({ sold, chosen, wrong }: Purchase): Page {
  const isSold = (what: string) =>
    sold.some(({ tier, interval }) => tier === what || interval === what);
  const choice = (
    name: 'tier' | 'interval',
    value: string,
    { label = capital(value), hint }: { label?: string; hint?: string },
  ) =>
    html`<div class="choice">
<input type="radio" id="${name}-${value}" name="${name}" value="${value}"${hint && html` aria-describedby="${name}-${value}-hint"`}${value === chosen?.[name] && html` checked`}>
<label for="${name}-${value}">${label}</label>
${hint && html`<span class="hint" id="${name}-${value}-hint">${hint}</span>`}
</div>`;
  return pageOf(
    wrong ? 'That did not work' : 'Buy a licence',
    html`<h1>Buy a licence</h1>
${wrong && html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>That did not work</h2><p>${wrong}</p></div>`}
<form method="post" action="buy">
<fieldset><legend class="large">Which one?</legend>${Object.entries(TIERS)
      .filter(([name]) => isSold(name))
      .map(([name, hint]) => choice('tier', name, { hint }))}</fieldset>
<fieldset><legend class="large">Paid</legend>${Object.entries(INTERVALS)
      .filter(([name]) => isSold(name))
      .map(([name, label]) => choice('interval', name, { label }))}</fieldset>
<p class="note">The price is on the next page, before you pay anything. The key comes by e-mail.</p>
<button>Go to the checkout</button>
</form>
<p class="after"><a href="./">Back to your licences</a></p>`,
  );
}

/** Leads to the page that takes the payment. */
export const onwardsPage = (url: string): Page =>
  pageOf(
    'To the checkout',
    html`<h1>To the checkout</h1>
<p class="lead">You are being taken there. If nothing happens:</p>
<p><a class="button" href="${url}">Go on to the checkout</a></p>`,
    { onwards: url },
  );
