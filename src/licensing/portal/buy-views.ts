import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import { capitalise, toPage } from './account-views.ts';
import { formatPrice, type PriceShown } from './format-price.ts';

const TIERS: Record<string, string> = {
  starter: 'One site. Includes privacy requests.',
  pro: 'Three sites. Adds retention, reporting and integrations.',
  agency: '25 sites, white label.',
};

const INTERVALS: Record<PriceShown['interval'], string> = {
  year: 'Yearly',
  month: 'Monthly',
  once: 'Lifetime',
};

/** The prices on offer, and the payment provider. */
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
    : html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2><p>${wrong}</p></div>`;

/** The prices of a tier, where known. */
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

/** A note on prices and tax. */
function priceNote({ provider, prices }: Sold): string {
  if (provider === 'test') return 'Test checkout: sample prices, and no payment is taken.';
  return prices.every((price) => formatPrice(price) !== undefined)
    ? 'The checkout shows the total, with tax, before you pay.'
    : 'Some prices are not available right now. The checkout shows the total, with tax, before you pay.';
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
  return html`<fieldset><legend class="large">Tier</legend>${Object.keys(TIERS)
    .filter(isSold)
    .map((name) =>
      choice('tier', name, { label: capitalise(name), hint: tierHint(sold, name) }),
    )}</fieldset>
<fieldset><legend class="large">Billing</legend>${Object.entries(INTERVALS)
    .filter(([name]) => isSold(name))
    .map(([name, label]) => choice('interval', name, { label }))}</fieldset>`;
}

export const buyPage = (sold: Sold, chosen: Chosen, wrong?: string): ViewDocument =>
  toPage(
    wrong === undefined ? 'Buy a licence' : 'There is a problem',
    html`<h1>Buy a licence</h1>
${wrongSummary(wrong)}
<form method="post" action="buy">
${choices(sold, chosen)}
<p class="note">${priceNote(sold)} We email the licence key after payment.</p>
<button>Continue to checkout</button>
</form>
<p class="after"><a href="./">Back to your licences</a></p>`,
  );

/** The answer of `GET /customer/licences/{id}/renewal`. */
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
  /** CSRF token of the form. */
  form: string;
  wrong?: string | undefined;
}

const NEVER = '9999-';

/** Where a customer renews or changes a licence. */
export function renewalPage({ licence, provider, chosen, form, wrong }: Renewal): ViewDocument {
  const { id, tier, renews, obstacle, prices } = licence;
  const title = renews ? 'Change your licence' : 'Renew your licence';
  const day = licence.expires_at.startsWith(NEVER)
    ? 'Lifetime'
    : html`<time datetime="${licence.expires_at}">${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(licence.expires_at))}</time>`;
  const hidden = html`<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}">`;
  const sold = { provider, prices };
  return toPage(
    wrong === undefined ? title : 'There is a problem',
    html`<h1>${title}</h1>
${wrongSummary(wrong)}
<p class="lead">${
      renews
        ? 'This licence renews automatically. Changes apply to the same key, and your sites stay activated.'
        : 'The licence keeps its key, and your sites stay activated.'
    }</p>
<dl>
<dt>Licence</dt><dd><code class="copy">${id}</code></dd>
<dt>Tier</dt><dd>${capitalise(tier)}</dd>
<dt>${licence.status === 'expired' ? 'Expired on' : 'Expires on'}</dt><dd>${day}</dd>
<dt>Sites in use</dt><dd>${licence.sites_used} of ${licence.sites_allowed}</dd>
</dl>
${
  obstacle
    ? html`<p class="summary">${obstacle.message}</p>`
    : prices.length === 0
      ? html`<p class="summary">Payments are not available at the moment. Contact the vendor.</p>`
      : html`<form method="post" action="renew">
${hidden}
${choices(sold, chosen)}
<div class="field">
<label for="quantity">Packages</label>
<span class="hint" id="quantity-hint">Sites per package: ${sitesHint(prices)}. Prices are per package.</span>
<input id="quantity" name="quantity" type="number" inputmode="numeric" min="1" max="100" step="1" required value="${chosen.quantity ?? licence.quantity}" aria-describedby="quantity-hint">
</div>
<p class="note">${priceNote(sold)} Remaining days are added if you keep the tier and do not add sites.</p>
<button>${renews ? 'Continue to change' : 'Continue to checkout'}</button>
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

/** Sites per package of each tier, for example "Starter 1, Pro 3". */
const sitesHint = (prices: readonly PriceShown[]): string =>
  [...new Map(prices.map(({ tier, sites }) => [tier, sites]))]
    .map(([tier, sites]) => `${capitalise(tier)} ${sites}`)
    .join(', ');

/** Redirects to the checkout or the billing portal. */
export const onwardsPage = (url: string, isPortal = false): ViewDocument => {
  const where = isPortal ? 'billing portal' : 'checkout';
  return toPage(
    `Continue to ${where}`,
    html`<h1>Continue to ${where}</h1>
<p class="lead">You are being redirected. If nothing happens, use the button.</p>
<p><a class="button" href="${url}">Continue to ${where}</a></p>`,
    { onwards: url },
  );
};
