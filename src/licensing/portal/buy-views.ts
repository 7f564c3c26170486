import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import {
  formatPriceParts,
  type RenewalOptions,
  type ShownPrice,
  type ShownPrices,
} from '../checkout/index.ts';
import { toCustomerPage } from '../customers/index.ts';
import { UNLIMITED_SITES } from '../licences/index.ts';
import { DEFAULT_PRODUCT } from '../products/index.ts';
import type { Trials } from '../trials/index.ts';
import { renderProblem } from './account-views.ts';
import { describeError, type PortalView } from './context.ts';
import { formatDay } from './format-day.ts';
import { formatSites, formatSitesInUse, inLanguageOfVendor, labelEnd } from './licence-card.ts';

/** For example "3 sites. Data subject requests and retention." */
function describePlan(view: PortalView, { sites, features, description }: ShownPrice): Html {
  const { includes } = view.texts.buy;
  if (description !== null)
    return html`${formatSites(view, sites)}. ${inLanguageOfVendor(view, description)}`;
  const included = features.map((name) => name.replaceAll('_', ' ')).join(', ');
  return html`${formatSites(view, sites)}.${included && ` ${includes} ${included}.`}`;
}

const INTERVALS = ['year', 'month', 'once'] as const satisfies ShownPrice['interval'][];

type Sold = Pick<ShownPrices, 'prices'> & { provider: ShownPrices['provider'] | null };

export interface Chosen {
  tier?: string | undefined;
  interval?: string | undefined;
}

/** A note on prices and tax. */
function priceNote({ texts }: PortalView, { provider, prices }: Sold): string {
  if (provider === 'test') return texts.buy.testNote;
  return prices.every(({ amount, currency }) => amount !== null && currency !== null)
    ? texts.buy.totalNote
    : `${texts.buy.someMissing} ${texts.buy.totalNote}`;
}

/** The price of a tier for each billing interval. Of several currencies, these pages sell in the first. */
function renderPrices(
  { language, texts: { buy } }: PortalView,
  { prices }: Sold,
  tier: string,
): Html[] {
  return listIntervals(prices).map((interval) => {
    const price = prices.find((each) => each.tier === tier && each.interval === interval);
    const parts = price && formatPriceParts(price, language);
    const missing = price ? buy.priceLater : `${buy.notAvailable} ${buy.intervals[interval]}`;
    return html`<span class="price" data-interval="${interval}">${
      parts
        ? html`<b>${parts.amount}</b> <small>${parts.period}</small>`
        : html`<small>${missing}</small>`
    }</span> `;
  });
}

const listIntervals = (prices: readonly ShownPrice[]) =>
  INTERVALS.filter((name) => prices.some(({ interval }) => interval === name));
/** A price of each tier. The API lists the tiers in the order of the plans. */
const listTiers = (prices: readonly ShownPrice[]): ShownPrice[] =>
  [...new Map(prices.toReversed().map((price) => [price.tier, price])).values()].toReversed();

/** The stylesheet shows the prices of the selected billing interval, and the summary of the selected tier. */
function choices(view: PortalView, sold: Sold, chosen: Chosen, unit: 'total' | 'perPackage'): Html {
  const { buy } = view.texts;
  const renderChoice = (name: 'tier' | 'interval', value: string, label: string, more?: Html) =>
    html`<div class="choice">
<input type="radio" id="${name}-${value}" name="${name}" value="${value}"${more && html` aria-describedby="${name}-${value}-about"`}${value === chosen[name] && html` checked`}>
<label for="${name}-${value}">${label}</label>
${more && html`<span class="about" id="${name}-${value}-about">${more}</span>`}
</div>`;
  const tiers = listTiers(sold.prices);
  return html`<fieldset><legend class="large">${buy.billing}</legend><div class="options">${listIntervals(
    sold.prices,
  ).map((interval) => renderChoice('interval', interval, buy.intervals[interval]))}</div></fieldset>
<fieldset><legend class="large">${buy.tier}</legend>${tiers.map((price) =>
    renderChoice(
      'tier',
      price.tier,
      price.plan,
      html`<span class="hint">${describePlan(view, price)}</span> ${renderPrices(view, sold, price.tier)}`,
    ),
  )}</fieldset>
<div class="order">${tiers.map(
    ({ tier, plan }) =>
      html`<p data-tier="${tier}"><span>${plan}, ${buy[unit]}</span> ${renderPrices(view, sold, tier)}</p>`,
  )}</div>`;
}

/** The products on sale, to choose from. */
export const productsPage = (
  view: PortalView,
  products: readonly { slug: string; name: string }[],
): ViewDocument =>
  toCustomerPage(
    view,
    view.texts.buy.title,
    html`<h1>${view.texts.buy.title}</h1>
<p class="lead">${view.texts.buy.chooseProduct}</p>
<ul class="rows" role="list">${products.map(({ slug, name }) => html`<li><a class="what" href="buy?product=${slug}">${name}</a></li>`)}</ul>
<p class="after"><a href="./">${view.texts.account.back}</a></p>`,
  );

interface BuyPage {
  /** Empty for the default product until the vendor gives it a name. */
  productName: string;
  wrong?: string;
  trials?: Trials | undefined;
}

export function buyPage(
  view: PortalView,
  sold: ShownPrices,
  chosen: Chosen,
  { productName, wrong, trials }: BuyPage,
): ViewDocument {
  const { buy, problem, account } = view.texts;
  const title = productName ? buy.titleOf(productName) : buy.title;
  return toCustomerPage(
    view,
    wrong === undefined ? title : problem,
    html`<h1>${title}</h1>
${renderProblem(view, wrong)}
<p class="lead">${buy.lead}</p>
<form method="post" action="buy">
${sold.product !== DEFAULT_PRODUCT && html`<input type="hidden" name="product" value="${sold.product}">`}
${choices(view, sold, chosen, 'total')}
<p class="note">${priceNote(view, sold)}</p>
<button>${buy.toCheckout}</button>
</form>
${trials && trials.trials.length > 0 && renderTrialOffer(view, trials)}
<p class="after"><a href="./">${account.back}</a></p>`,
  );
}

/** The longest trial is named, if plans differ. */
function renderTrialOffer({ texts: { trial } }: PortalView, { product, trials }: Trials): Html {
  const days = Math.max(...trials.map((each) => each.days));
  return html`<h2>${trial.offer}</h2>
<p>${trial.ends}</p>
<p><a class="button quiet" href="trial?product=${product}">${trial.start(days, trials.length > 1)}</a></p>`;
}

interface Renewal {
  licence: RenewalOptions;
  chosen: Chosen & { quantity?: string | undefined };
  /** CSRF token of the form. */
  form: string;
  wrong?: string | undefined;
}

/** Why there is nothing to choose, and what to do; undefined if there is. */
function describeHindrance(
  view: PortalView,
  { obstacle, subscription, prices }: RenewalOptions,
): string | undefined {
  const { renewal: texts } = view.texts;
  if (obstacle) return describeError(view, obstacle);
  if (subscription !== null && subscription !== 'active') return texts.resume[subscription];
  return prices.length === 0 ? texts.noPayments : undefined;
}

/** A subscription is changed in the Billing Portal, except in the test checkout. While Stripe does not answer, it may exist. */
const leadsToCheckout = ({ subscription, subscription_known }: RenewalOptions): boolean =>
  subscription === null && subscription_known;

/** Where a customer renews or changes a licence. */
export function renewalPage(
  view: PortalView,
  { licence, chosen, form, wrong }: Renewal,
): ViewDocument {
  const { renewal: texts, account, buy, problem } = view.texts;
  const { id, plan, renews, provider, prices } = licence;
  const titleToPay = licence.trial ? account.buyTrial : texts.titleToRenew;
  const titleOfForm = renews ? texts.titleToChange : titleToPay;
  const hindrance = describeHindrance(view, licence);
  const title = hindrance === undefined ? titleOfForm : texts.title;
  const hidden = html`<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}">`;
  const sold = { provider, prices };
  return toCustomerPage(
    view,
    wrong === undefined ? title : problem,
    html`<h1>${title}</h1>
${renderProblem(view, wrong)}
${hindrance === undefined && html`<p class="lead">${renews ? texts.renews : texts.keeps}</p>`}
<div class="card"><dl>
<dt>${account.licence}</dt><dd><code class="copy">${id}</code></dd>
<dt>${buy.tier}</dt><dd>${plan}</dd>
<dt>${labelEnd(view, licence)}</dt><dd>${formatDay(view, licence.expires_at)}</dd>
<dt>${account.sitesInUse}</dt><dd>${formatSitesInUse(view, licence)}</dd>
</dl></div>
${
  hindrance
    ? html`<p class="summary">${hindrance}</p>`
    : html`<form method="post" action="renew">
${hidden}
${choices(view, sold, chosen, 'perPackage')}
<div class="field">
<label for="quantity">${texts.packages}</label>
<span class="hint" id="quantity-hint">${texts.packagesHint(sitesHint(view, prices))}${licence.sites_allowed >= UNLIMITED_SITES && ` ${texts.unlimited(plan)}`}</span>
<input id="quantity" name="quantity" type="number" inputmode="numeric" min="1" max="100" step="1" required value="${chosen.quantity ?? licence.quantity ?? ''}" aria-describedby="quantity-hint">
</div>
<p class="note">${priceNote(view, sold)}${leadsToCheckout(licence) && ` ${texts.remaining}`}</p>
<button>${renews ? texts.toChange : buy.toCheckout}</button>
</form>`
}
${
  licence.has_portal &&
  html`<h2>${texts.portalTitle}</h2>
<form method="post" action="portal">
${hidden}
<button class="quiet">${texts.openPortal}</button>
</form>`
}
<p class="after"><a href="./">${account.back}</a></p>`,
  );
}

/** Sites per package of each tier, for example "Starter 1, Pro 3". */
const sitesHint = ({ texts: { buy } }: PortalView, prices: readonly ShownPrice[]): string =>
  listTiers(prices)
    .map(({ plan, sites }) => `${plan} ${sites >= UNLIMITED_SITES ? buy.unlimited : sites}`)
    .join(', ');

/** Redirects to the checkout or the billing portal. */
export const onwardsPage = (view: PortalView, url: string, isPortal = false): ViewDocument => {
  const { buy } = view.texts;
  const title = isPortal ? buy.toPortal : buy.toCheckout;
  return toCustomerPage(
    view,
    title,
    html`<h1>${title}</h1>
<p class="lead">${buy.redirected}</p>
<p><a class="button" href="${url}">${title}</a></p>`,
    { onwards: url },
  );
};
