import { type Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import type { SwitchOptions } from '../account/index.ts';
import { toCustomerPage } from '../customers/index.ts';
import { UNLIMITED_SITES } from '../licences/index.ts';
import { renderProblem } from './account-views.ts';
import type { PortalView } from './context.ts';
import { formatDay } from './format-day.ts';
import { describeState, needsRenewal, type ShownLicence } from './licence-card.ts';

interface SwitchPage {
  options: SwitchOptions;
  licence: ShownLicence;
  /** URL of the site to activate. */
  site: string;
  /** CSRF token of the form. */
  form: string;
  /** The activation that was chosen before. */
  chosen?: number | undefined;
  wrong?: string | undefined;
}

/** Where a customer deactivates a site of a full licence and activates the one that found no slot. */
export function switchPage(
  view: PortalView,
  { options, licence, site, form, chosen, wrong }: SwitchPage,
): ViewDocument {
  const { switching: texts, account, problem } = view.texts;
  const { id, plan, productName, status } = licence;
  return toCustomerPage(
    view,
    wrong === undefined ? texts.title : problem,
    html`<h1>${texts.title}</h1>
${renderProblem(view, wrong)}
<div class="card"><dl>
<dt>${texts.newSite}</dt><dd>${site}</dd>
<dt>${account.licence}</dt><dd>${productName && `${productName} – `}${plan}, <code class="copy">${id}</code></dd>
</dl></div>
${status === 'active' ? renderForm(view, { options, site, form, chosen }) : renderInactive(view, licence)}
<p class="after"><a href="./">${account.back}</a></p>`,
  );
}

function renderInactive(view: PortalView, licence: ShownLicence): Html {
  const { account, statuses } = view.texts;
  return html`<p class="summary">${statuses[licence.status].label}. ${describeState(view, licence)}</p>
${needsRenewal(licence) && html`<p><a class="button" href="renew?licence=${licence.id}">${licence.trial ? account.buyTrial : account.renew}</a></p>`}`;
}

function renderForm(
  view: PortalView,
  { options, site, form, chosen }: Omit<SwitchPage, 'licence'>,
): Html {
  const { switching: texts, account } = view.texts;
  const { id, sites, sites_used: used, sites_allowed: allowed } = options;
  if (options.site_active) return html`<p class="summary">${texts.alreadyActive}</p>`;
  const hidden = html`<input type="hidden" name="form" value="${form}"><input type="hidden" name="licence" value="${id}"><input type="hidden" name="site" value="${site}">`;
  if (used > allowed) return html`<p class="summary">${texts.tooMany(used, allowed)}</p>`;
  if (used < allowed)
    return html`<p class="lead">${allowed >= UNLIMITED_SITES ? texts.freeUnlimited : texts.free(used, allowed)}</p>
<form method="post" action="switch-site">
${hidden}
<button>${texts.activate(site)}</button>
</form>`;
  return html`<p class="lead">${texts.full(used, allowed)}</p>
<form method="post" action="switch-site">
${hidden}
<fieldset><legend class="large">${texts.choose}</legend>${sites.map(
    ({ activation_id, site_url, activated_at }, index) => html`<div class="choice">
<input type="radio" id="site-${activation_id}" name="activation" value="${activation_id}" aria-describedby="site-${activation_id}-about"${index === 0 && html` required`}${(activation_id === chosen || sites.length === 1) && html` checked`}>
<label for="site-${activation_id}">${site_url}</label>
<span class="about" id="site-${activation_id}-about"><span class="hint">${account.since} ${formatDay(view, activated_at)}</span></span>
</div>`,
  )}</fieldset>
<p class="note">${texts.effect}</p>
<button>${texts.submit(site)}</button>
</form>`;
}
