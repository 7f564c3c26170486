import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import { capitalise, toPage } from './account-views.ts';
import { formatPrice, type PriceShown } from './format-price.ts';

const TIERS: Record<string, string> = {
  starter: 'One site, with requests of data subjects.',
  pro: 'Three sites, with retention, reports and integrations as well.',
  agency: 'Twenty-five sites under your own name.',
};

const INTERVALS: Record<PriceShown['interval'], string> = {
  year: 'Every year',
  month: 'Every month',
  once: 'Once: it never ends',
};

/** What is sold, and by whom it is paid. */
export interface Sold {
  provider: 'stripe' | 'test';
  prices: readonly PriceShown[];
}

export interface Chosen {
  tier?: string | undefined;
  interval?: string | undefined;
}

const wrongSummary = (wrong: string | undefined): Html | undefined =>
  wrong === undefined
    ? undefined
    : html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>That did not work</h2><p>${wrong}</p></div>`;

/** What each tier costs, in its hint, as far as that is known. */
function tierHint({ prices }: Sold, tier: string): string {
  // Of several currencies the first one is what these pages sell.
  const usual = new Map(
    prices
      .filter((price) => price.tier === tier)
      .toReversed()
      .map((price) => [price.interval, price]),
  );
  const known = [...usual.values()].toReversed().flatMap((each) => formatPrice(each) ?? []);
  return [TIERS[tier], known.length > 0 && `${known.join('; or ')}.`].filter(Boolean).join(' ');
}

/** What the page says of money where the amounts do not say it. */
function priceNote({ provider, prices }: Sold): string {
  if (provider === 'test') return 'Test checkout: nothing is charged.';
  return prices.every((price) => formatPrice(price) !== undefined)
    ? 'The checkout shows the total, with tax, before you pay.'
    : 'We cannot show every price right now. The checkout shows it, with tax, before you pay.';
}

function choices(sold: Sold, chosen: Chosen): Html {
  const choice = (
    name: 'tier' | 'interval',
    value: string,
    { label, hint }: { label: string; hint?: string },
  ) =>
    html`<div class="choice">
<input type="radio" id="${name}-${value}" name="${name}" value="${value}"${hint && html` aria-describedby="${name}-${value}-hint"`}${value === chosen[name] && html` checked`}>
<label for="${name}-${value}">${label}</label>
${hint && html`<span class="hint" id="${name}-${value}-hint">${hint}</span>`}
</div>`;
  const isSold = (what: string) =>
    sold.prices.some(({ tier, interval }) => tier === what || interval === what);
  return html`<fieldset><legend class="large">Which one?</legend>${Object.keys(TIERS)
    .filter(isSold)
    .map((name) =>
      choice('tier', name, { label: capitalise(name), hint: tierHint(sold, name) }),
    )}</fieldset>
<fieldset><legend class="large">Paid</legend>${Object.entries(INTERVALS)
    .filter(([name]) => isSold(name))
    .map(([name, label]) => choice('interval', name, { label }))}</fieldset>`;
}

export const buyPage = (sold: Sold, chosen: Chosen, wrong?: string): ViewDocument =>
  toPage(
    wrong === undefined ? 'Buy a licence' : 'That did not work',
    html`<h1>Buy a licence</h1>
${wrongSummary(wrong)}
<form method="post" action="buy">
${choices(sold, chosen)}
<p class="note">${priceNote(sold)} The key comes by email.</p>
<button>Go to the checkout</button>
</form>
<p class="after"><a href="./">Back to your licences</a></p>`,
  );

/** A licence and what it can be renewed to, as the Licence API says it. */
interface RenewalShown {
  id: string;
  tier: string;
  status: string;
  sites_allowed: number;
  sites_used: number;
  expires_at: string;
  quantity: number;
  interval: PriceShown['interval'] | null;
  renews: boolean;
  has_portal: boolean;
  obstacle: { message: string } | null;
  prices: PriceShown[];
}

interface Renewal {
  licence: RenewalShown;
  provider: Sold['provider'];
  chosen: Chosen & { quantity?: string | undefined };
  /** What forms send along to be believed. */
  form: string;
  wrong?: string | undefined;
}

const NEVER = '9999-';

/** Where a customer renews or changes a licence. */
export function renewalPage({ licence, provider, chosen, form, wrong }: Renewal): ViewDocument {
  const { id, tier, renews, obstacle, prices } = licence;
  const title = renews ? 'Change your licence' : 'Renew your licence';
  const day = licence.expires_at.startsWith(NEVER)
    ? 'no end'
    : html`<time datetime="${licence.expires_at}">${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(licence.expires_at))}</time>`;
  const hidden = html`<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}">`;
  const sold = { provider, prices };
  return toPage(
    wrong === undefined ? title : 'That did not work',
    html`<h1>${title}</h1>
${wrongSummary(wrong)}
<p class="lead">${
      renews
        ? 'It renews by itself. What you change here applies to the same key, and your sites stay activated.'
        : 'You renew on the same key: there is nothing to enter again, and your sites stay activated.'
    }</p>
<dl>
<dt>Licence</dt><dd><code class="copy">${id}</code></dd>
<dt>Tier</dt><dd>${capitalise(tier)}</dd>
<dt>${licence.status === 'expired' ? 'Ended on' : 'Ends on'}</dt><dd>${day}</dd>
<dt>Sites in use</dt><dd>${licence.sites_used} of ${licence.sites_allowed}</dd>
</dl>
${
  obstacle
    ? html`<p class="summary">${obstacle.message}</p>`
    : prices.length === 0
      ? html`<p class="summary">Nothing can be paid here at present. Please write to those who sold it to you.</p>`
      : html`<form method="post" action="renew">
${hidden}
${choices(sold, chosen)}
<div class="field">
<label for="quantity">Packages</label>
<span class="hint" id="quantity-hint">One package holds the sites of the tier: ${sitesHint(prices)}. The price is for one package.</span>
<input id="quantity" name="quantity" type="number" inputmode="numeric" min="1" max="100" step="1" required value="${chosen.quantity ?? licence.quantity}" aria-describedby="quantity-hint">
</div>
<p class="note">${priceNote(sold)} Days that are left are added if the tier stays the same and the sites are not more.</p>
<button>${renews ? 'Go on to the change' : 'Go to the checkout'}</button>
</form>`
}
${
  licence.has_portal &&
  html`<h2>Card, invoices and cancellation</h2>
<form method="post" action="portal">
${hidden}
<button class="quiet">Open the billing portal</button>
</form>`
}
<p class="after"><a href="./">Back to your licences</a></p>`,
  );
}

/** How many sites a package of each tier holds, as "Starter 1, Pro 3". */
const sitesHint = (prices: readonly PriceShown[]): string =>
  [...new Map(prices.map(({ tier, sites }) => [tier, sites]))]
    .map(([tier, sites]) => `${capitalise(tier)} ${sites}`)
    .join(', ');

/** Leads to the page that takes the payment, or where the subscription is looked after. */
export const onwardsPage = (url: string, isPortal = false): ViewDocument => {
  const where = isPortal ? 'billing portal' : 'checkout';
  return toPage(
    `To the ${where}`,
    html`<h1>To the ${where}</h1>
<p class="lead">You are being taken there. If nothing happens:</p>
<p><a class="button" href="${url}">Go on to the ${where}</a></p>`,
    { onwards: url },
  );
};
