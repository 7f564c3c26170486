import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import {
  formatPrice,
  type RenewalOptions,
  type ShownPrice,
  type ShownPrices,
} from '../checkout/index.ts';
import { toCustomerPage } from '../customers/index.ts';
import { DEFAULT_PRODUCT } from '../products/index.ts';
import { formatDay, renderProblem } from './account-views.ts';

/** For example "3 sites. Includes dsar, retention." */
function describePlan({ sites, features }: ShownPrice): string {
  const included = features.map((name) => name.replaceAll('_', ' ')).join(', ');
  return `${sites === 1 ? '1 site' : `${sites} sites`}.${included && ` Includes ${included}.`}`;
}

const INTERVALS: Record<ShownPrice['interval'], string> = {
  year: 'Yearly',
  month: 'Monthly',
  once: 'Lifetime',
};
const INTERVAL_NAMES = Object.keys(INTERVALS) as ShownPrice['interval'][];

type Sold = Pick<ShownPrices, 'prices'> & { provider: ShownPrices['provider'] | null };

export interface Chosen {
  tier?: string | undefined;
  interval?: string | undefined;
}

/** A note on prices and tax. */
function priceNote({ provider, prices }: Sold): string {
  if (provider === 'test') return 'Test checkout: sample prices, and no payment is taken.';
  return prices.every((price) => formatPrice(price) !== undefined)
    ? 'The checkout shows the total, with tax, before you pay.'
    : 'Some prices are not available right now. The checkout shows the total, with tax, before you pay.';
}

/** The price of a tier for each billing interval. Of several currencies, these pages sell in the first. */
function renderPrices({ prices }: Sold, tier: string): Html[] {
  return listIntervals(prices).map((interval) => {
    const price = prices.find((each) => each.tier === tier && each.interval === interval);
    const [amount, ...period] = (price && formatPrice(price)?.split(' ')) || [];
    const missing = price ? 'Price shown in the checkout' : `Not available: ${INTERVALS[interval]}`;
    return html`<span class="price" data-interval="${interval}">${
      amount
        ? html`<b>${amount}</b> <small>${period.join(' ')}</small>`
        : html`<small>${missing}</small>`
    }</span> `;
  });
}

const listIntervals = (prices: readonly ShownPrice[]) =>
  INTERVAL_NAMES.filter((name) => prices.some(({ interval }) => interval === name));
/** A price of each tier. The API lists the tiers in the order of the plans. */
const listTiers = (prices: readonly ShownPrice[]): ShownPrice[] =>
  [...new Map(prices.toReversed().map((price) => [price.tier, price])).values()].toReversed();

/** The stylesheet shows the prices of the selected billing interval, and the summary of the selected tier. */
function choices(sold: Sold, chosen: Chosen, unit: 'total' | 'per package'): Html {
  const renderChoice = (name: 'tier' | 'interval', value: string, label: string, more?: Html) =>
    html`<div class="choice">
<input type="radio" id="${name}-${value}" name="${name}" value="${value}"${more && html` aria-describedby="${name}-${value}-about"`}${value === chosen[name] && html` checked`}>
<label for="${name}-${value}">${label}</label>
${more && html`<span class="about" id="${name}-${value}-about">${more}</span>`}
</div>`;
  const tiers = listTiers(sold.prices);
  return html`<fieldset><legend class="large">Billing</legend><div class="options">${listIntervals(
    sold.prices,
  ).map((interval) => renderChoice('interval', interval, INTERVALS[interval]))}</div></fieldset>
<fieldset><legend class="large">Tier</legend>${tiers.map((price) =>
    renderChoice(
      'tier',
      price.tier,
      price.plan,
      html`<span class="hint">${describePlan(price)}</span> ${renderPrices(sold, price.tier)}`,
    ),
  )}</fieldset>
<div class="order">${tiers.map(
    ({ tier, plan }) =>
      html`<p data-tier="${tier}"><span>${plan}, ${unit}</span> ${renderPrices(sold, tier)}</p>`,
  )}</div>`;
}

export const buyPage = (sold: ShownPrices, chosen: Chosen, wrong?: string): ViewDocument =>
  toCustomerPage(
    wrong === undefined ? 'Buy a licence' : 'There is a problem',
    html`<h1>Buy a licence</h1>
${renderProblem(wrong)}
<p class="lead">We email the licence key as soon as you have paid.</p>
<form method="post" action="buy">
${sold.product !== DEFAULT_PRODUCT && html`<input type="hidden" name="product" value="${sold.product}">`}
${choices(sold, chosen, 'total')}
<p class="note">${priceNote(sold)}</p>
<button>Continue to checkout</button>
</form>
<p class="after"><a href="./">Back to your licences</a></p>`,
  );

interface Renewal {
  licence: RenewalOptions;
  chosen: Chosen & { quantity?: string | undefined };
  /** CSRF token of the form. */
  form: string;
  wrong?: string | undefined;
}

/** Where a customer renews or changes a licence. */
export function renewalPage({ licence, chosen, form, wrong }: Renewal): ViewDocument {
  const { id, plan, renews, obstacle, provider, prices } = licence;
  const title = renews ? 'Change your licence' : 'Renew your licence';
  const hidden = html`<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}">`;
  const sold = { provider, prices };
  return toCustomerPage(
    wrong === undefined ? title : 'There is a problem',
    html`<h1>${title}</h1>
${renderProblem(wrong)}
<p class="lead">${
      renews
        ? 'This licence renews automatically. Changes apply to the same key, and your sites stay activated.'
        : 'The licence keeps its key, and your sites stay activated.'
    }</p>
<div class="card"><dl>
<dt>Licence</dt><dd><code class="copy">${id}</code></dd>
<dt>Tier</dt><dd>${plan}</dd>
<dt>${licence.status === 'expired' ? 'Expired on' : 'Expires on'}</dt><dd>${formatDay(licence.expires_at)}</dd>
<dt>Sites in use</dt><dd>${licence.sites_used} of ${licence.sites_allowed}</dd>
</dl></div>
${
  obstacle
    ? html`<p class="summary">${obstacle.message}</p>`
    : prices.length === 0
      ? html`<p class="summary">Payments are not available at the moment. Contact the vendor.</p>`
      : html`<form method="post" action="renew">
${hidden}
${choices(sold, chosen, 'per package')}
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
const sitesHint = (prices: readonly ShownPrice[]): string =>
  listTiers(prices)
    .map(({ plan, sites }) => `${plan} ${sites}`)
    .join(', ');

/** Redirects to the checkout or the billing portal. */
export const onwardsPage = (url: string, isPortal = false): ViewDocument => {
  const where = isPortal ? 'billing portal' : 'checkout';
  return toCustomerPage(
    `Continue to ${where}`,
    html`<h1>Continue to ${where}</h1>
<p class="lead">You are being redirected. If nothing happens, use the button.</p>
<p><a class="button" href="${url}">Continue to ${where}</a></p>`,
    { onwards: url },
  );
};
