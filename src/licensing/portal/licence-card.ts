import { formatDay as formatMomentDay } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/html.ts';
import type { LicenceInfo } from '../account/index.ts';
import { UNLIMITED_SITES } from '../licences/index.ts';
import type { Billing, PortalView } from './context.ts';
import { formatDay, isLifetime } from './format-day.ts';

export interface ShownLicence extends LicenceInfo, Billing {
  productName: string;
}

/** Whether its customer has to renew an expired licence. With an automatic renewal, it needs the payment only. */
export const needsRenewal = ({ status, renews, canRenew }: ShownLicence): boolean =>
  canRenew && status === 'expired' && !renews;

/** What the state of a licence means for its customer. */
export function describeState(view: PortalView, licence: ShownLicence): string | undefined {
  const { account: texts, statuses } = view.texts;
  const { status, trial, canRenew, renews, expires_at, paid_until } = licence;
  const isInGrace = status === 'active' && paid_until !== expires_at;
  const graceEnd = isInGrace ? formatMomentDay(view.language, expires_at) : '';
  if (renews && (graceEnd || status === 'expired'))
    return [texts.renewing, graceEnd && texts.renewingUntil(graceEnd)].join(' ');
  if (graceEnd)
    return `${texts.inGrace(graceEnd)} ${canRenew ? texts.renewBefore : texts.toVendor}`;
  if (status === 'expired' && trial)
    return canRenew ? `${texts.trialEnded} ${texts.trialEndedToBuy}` : texts.trialEnded;
  return status === 'expired' && !canRenew ? texts.toVendor : statuses[status].text;
}

/** The label of the day on which a licence expires or is renewed. */
export function labelEnd(
  { texts: { account } }: PortalView,
  {
    status,
    renews,
    expires_at,
    paid_until,
  }: Pick<ShownLicence, 'status' | 'renews' | 'expires_at' | 'paid_until'>,
): string {
  if (isLifetime(expires_at)) return account.validUntil;
  if (status === 'expired') return account.expiredOn;
  // In the grace period after an unpaid renewal, the licence expires.
  const isRenewed = renews && status === 'active' && expires_at === paid_until;
  return isRenewed ? account.renewsOn : account.expiresOn;
}

/** For example "1 of 3". */
export const formatSitesInUse = (
  { texts: { account } }: PortalView,
  { sites_used, sites_allowed }: Pick<ShownLicence, 'sites_used' | 'sites_allowed'>,
): string =>
  sites_allowed >= UNLIMITED_SITES
    ? account.ofUnlimited(sites_used)
    : account.of(sites_used, sites_allowed);

/** For example "3 sites". */
export const formatSites = ({ texts: { buy } }: PortalView, sites: number): string =>
  sites >= UNLIMITED_SITES ? buy.unlimitedSites : buy.sites(sites);

/** The descriptions of the plans that Pavis brings, in English (migration 067). */
const BROUGHT_DESCRIPTIONS = [
  'Data subject requests.',
  'Data subject requests, retention, reporting and advanced integrations.',
];

/** Marks a text that the vendor enters if the page is in another language (WCAG 2.2, 3.1.2). */
export function inLanguageOfVendor({ language, brand }: PortalView, text: string): Html | string {
  const own = BROUGHT_DESCRIPTIONS.includes(text) ? 'en' : (brand.language ?? 'en');
  return own === language ? text : html`<span lang="${own}">${text}</span>`;
}

/** A licence with its sites, and what its customer can do with it. */
export function licenceCard(view: PortalView, licence: ShownLicence, form: string): Html {
  const { account: texts, statuses, renewal } = view.texts;
  const { id, key, mode, plan, productName, activations } = licence;
  const { trial: isTrial, canRenew } = licence;
  const { label } = statuses[licence.status];
  const inUse = activations.filter(({ deactivated_at }) => deactivated_at === null);
  const { expires_at, paid_until } = licence;
  const end = formatDay(view, expires_at);
  const about = describeState(view, licence);
  const isToRenew = needsRenewal(licence);
  const isRevoked = licence.status === 'revoked';
  // The subscription of a revoked licence may still charge its customer.
  const hasPage = isRevoked ? licence.hasPortal : canRenew || licence.hasPortal;
  const action =
    canRenew && !isRevoked
      ? (isTrial && texts.buyTrial) || (isToRenew ? texts.renew : texts.renewOrChange)
      : renewal.portalTitle;
  return html`<section class="card" aria-labelledby="${id} ${id}-id">
<div class="title"><h2 id="${id}">${productName && `${productName} – `}${plan}${mode === 'test' && ` (${texts.test})`}</h2><span>${isTrial && html`<span class="badge">${texts.trialBadge}</span> `}<span class="badge ${licence.status === 'active' ? 'good' : 'bad'}">${label}</span></span></div>
${about && html`<p>${about}</p>`}
${isTrial && licence.status === 'active' && html`<p>${canRenew ? texts.trialToBuy : texts.trial}</p>`}
<dl>
<dt>${texts.key}</dt><dd><code>${key}</code></dd>
<dt>${texts.licence}</dt><dd><code class="copy" id="${id}-id">${id}</code></dd>
<dt>${labelEnd(view, licence)}</dt><dd>${end}</dd>
${paid_until !== expires_at && html`<dt>${texts.paidUntil}</dt><dd>${formatDay(view, paid_until)}</dd>`}
<dt>${texts.sitesInUse}</dt><dd>${formatSitesInUse(view, licence)}</dd>
</dl>
${
  hasPage &&
  html`<p><a class="button${isToRenew ? '' : ' quiet'}" href="renew?licence=${id}" aria-label="${action} ${id}">${action}</a></p>`
}
${
  inUse.length > 0
    ? html`<h3>${texts.sites}</h3><ul class="rows" role="list">${inUse.map(
        (
          site,
        ) => html`<li><span class="what">${site.site_url}<span class="note">${texts.since} ${formatDay(view, site.activated_at)}</span></span>
<form method="post" action="deactivate">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}"><input type="hidden" name="activation" value="${site.id}">
<button class="quiet small" aria-label="${texts.deactivate} ${site.site_url}">${texts.deactivate}</button>
</form></li>`,
      )}</ul>`
    : html`<p class="note after">${texts.noSites}${licence.status === 'active' && ` ${texts.enterKey}`}</p>`
}
${
  !isRevoked &&
  html`<details><summary>${texts.lostKey}</summary>
<p>${texts.lostKeyText}</p>
<form method="post" action="new-key">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}">
<button class="quiet small" aria-label="${texts.sendNewKey}, ${id}">${texts.sendNewKey}</button>
</form></details>`
}
${
  licence.status === 'active' &&
  html`<details><summary>${texts.licenceFile}</summary>
<p>${texts.licenceFileText}</p>
<form method="post" action="licence-file">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}">
<button class="quiet small" aria-label="${texts.downloadFile}, ${id}">${texts.downloadFile}</button>
</form></details>`
}
${
  activations.length > 0 &&
  html`<details><summary>${texts.history}</summary>
<table role="table" aria-label="${texts.historyOf(id)}">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">${texts.site}</th><th scope="col" role="columnheader">${texts.activated}</th><th scope="col" role="columnheader">${texts.deactivated}</th></tr></thead>
<tbody role="rowgroup">${activations
    .toReversed()
    .map(
      ({ site_url, activated_at, deactivated_at }) =>
        html`<tr role="row"><td role="cell">${site_url}</td><td role="cell" data-title="${texts.activated}">${formatDay(view, activated_at, 'medium')}</td><td role="cell" data-title="${texts.deactivated}">${deactivated_at === null ? texts.notDeactivated : formatDay(view, deactivated_at, 'medium')}</td></tr>`,
    )}</tbody>
</table></details>`
}
</section>`;
}
