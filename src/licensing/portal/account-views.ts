import { formatDay as formatMomentDay } from '../../platform/clock.ts';
import { Html, html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import type { LicenceInfo } from '../account/index.ts';
import { toCustomerPage } from '../customers/index.ts';
import type { PortalView, Target } from './context.ts';

/** @param moment in UTC */
export const formatDay = (
  { language, texts }: PortalView,
  moment: string,
  dateStyle: 'long' | 'medium' = 'long',
): Html | string =>
  moment.startsWith('9999-')
    ? texts.lifetime
    : html`<time datetime="${moment}">${formatMomentDay(language, moment, dateStyle)}</time>`;

export const renderProblem = (
  { texts }: PortalView,
  message: Html | string | undefined,
): Html | undefined =>
  message === undefined
    ? undefined
    : html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${texts.problem}</h2>${message instanceof Html ? message : html`<p>${message}</p>`}</div>`;

const renderNotice = (notice: string | undefined): Html | false =>
  notice !== undefined && html`<p class="done" role="status">${notice}</p>`;

interface LinkForm {
  canBuy: boolean;
  notice?: string | undefined;
  email?: string | undefined;
  target?: Target;
  wrong?: { form: string } | { email: true };
}

const NO_TARGET: Target = { licence: '', site: '' };

const hiddenTarget = (target: Target): Html[] =>
  (['licence', 'site'] as const)
    .filter((name) => target[name])
    .map((name) => html`<input type="hidden" name="${name}" value="${target[name]}">`);

export function linkForm(
  view: PortalView,
  { canBuy, notice, email = '', target = NO_TARGET, wrong }: LinkForm,
): ViewDocument {
  const { signIn: texts, problem } = view.texts;
  const [title, lead] = target.site
    ? [texts.titleToSwitch, texts.leadToSwitch(target.site)]
    : target.licence
      ? [texts.titleToRenew, texts.leadToRenew]
      : [texts.title, texts.lead];
  const wrongEmail = wrong && 'email' in wrong && texts.emailWrong;
  return toCustomerPage(
    view,
    wrong ? problem : title,
    html`${renderNotice(notice)}<h1>${title}</h1>
<p class="lead">${lead}</p>
${wrong && renderProblem(view, 'form' in wrong ? wrong.form : html`<ul><li><a href="#email">${wrongEmail}</a></li></ul>`)}
<form method="post" action="link" novalidate accept-charset="utf-8">
${hiddenTarget(target)}
<div class="field">
<label for="email">${texts.email}</label>
<span class="hint" id="email-hint">${texts.emailHint}</span>
${wrongEmail && html`<span class="wrong" id="email-wrong">${wrongEmail}</span>`}
<input id="email" name="email" type="email" autocomplete="email" spellcheck="false" required value="${email}" aria-describedby="email-hint${wrongEmail && ' email-wrong'}"${wrongEmail && html` aria-invalid="true"`}>
</div>
<button>${texts.send}</button>
</form>
${canBuy && html`<h2>${texts.noLicence}</h2><p><a href="buy">${texts.buy}</a>. ${texts.buyMore}</p>`}`,
  );
}

export function mailedPage(view: PortalView): ViewDocument {
  const texts = view.texts.signIn;
  return toCustomerPage(
    view,
    texts.mailedTitle,
    html`<h1>${texts.mailedTitle}</h1>
<p class="lead">${texts.mailed}</p>
<p>${texts.notMailed} <a href="./">${texts.tryAgain}</a>.</p>`,
  );
}

/** The page that the email links to. */
export function signInPage(view: PortalView, token: string, target: Target): ViewDocument {
  const texts = view.texts.signIn;
  return toCustomerPage(
    view,
    texts.title,
    html`<h1>${texts.welcome}</h1>
<p class="lead">${texts.welcomeLead}</p>
<form method="post" action="sign-in">
<input type="hidden" name="token" value="${token}">${hiddenTarget(target)}
<button>${texts.button}</button>
</form>`,
  );
}

export function expiredLinkPage(view: PortalView): ViewDocument {
  const texts = view.texts.signIn;
  return toCustomerPage(
    view,
    texts.expiredTitle,
    html`<h1>${texts.expiredTitle}</h1>
<p class="lead">${texts.expired}</p>
<p><a class="button" href="./">${texts.requestNew}</a></p>`,
  );
}

/** For a link to another customer's licence. */
export function notYoursPage(view: PortalView, form: string): ViewDocument {
  const { signIn: texts, account } = view.texts;
  return toCustomerPage(
    view,
    texts.notYoursTitle,
    html`<h1>${texts.notYoursTitle}</h1>
<p class="lead">${texts.notYours}</p>
<form method="post" action="sign-out"><input type="hidden" name="form" value="${form}"><input type="hidden" name="where" value="here">
<button>${texts.signOut}</button></form>
<p class="after"><a href="./">${account.title}</a></p>`,
  );
}

interface Dashboard {
  licences: (LicenceInfo & { productName: string })[];
  /** Identifier of the last of these, if there are older ones. */
  older: string | undefined;
  canBuy: boolean;
  notice: string | undefined;
  /** CSRF token of the forms. */
  form: string;
}

/** The licences of a customer. */
export function dashboard(
  view: PortalView,
  { licences, older, canBuy, notice, form }: Dashboard,
): ViewDocument {
  const { account: texts, signIn } = view.texts;
  const signOut = (label: string, where: string) => html`<form method="post" action="sign-out">
<input type="hidden" name="form" value="${form}"><input type="hidden" name="where" value="${where}">
<button class="quiet small">${label}</button>
</form>`;
  return toCustomerPage(
    view,
    texts.title,
    html`${renderNotice(notice)}<h1>${texts.title}</h1>
${
  licences.length === 0
    ? html`<p class="lead">${texts.none}</p>`
    : licences.map((licence) => licenceCard(view, licence, form, canBuy))
}
${older && html`<p><a href="./?before=${older}">${texts.older}</a></p>`}
${canBuy && html`<p><a class="button" href="buy">${licences.length > 0 ? texts.buyAnother : texts.buy}</a></p>`}
<section class="screen"><h2>${texts.otherDevices}</h2>
<p>${texts.otherDevicesText}</p>
${signOut(texts.signOutEverywhere, 'everywhere')}</section>`,
    { tools: html`<nav aria-label="${texts.menu}">${signOut(signIn.signOut, 'here')}</nav>` },
  );
}

function licenceCard(
  view: PortalView,
  licence: Dashboard['licences'][number],
  form: string,
  canRenew: boolean,
): Html {
  const { account: texts, statuses } = view.texts;
  const { id, key, mode, plan, productName, sites_allowed, sites_used, activations } = licence;
  const { trial: isTrial } = licence;
  const { label, text } = statuses[licence.status];
  const inUse = activations.filter(({ deactivated_at }) => deactivated_at === null);
  const { expires_at, paid_until } = licence;
  const end = formatDay(view, expires_at);
  const isInGrace = licence.status === 'active' && paid_until !== expires_at;
  return html`<section class="card" aria-labelledby="${id} ${id}-id">
<div class="title"><h2 id="${id}">${productName && `${productName} – `}${plan}${mode === 'test' && ` (${texts.test})`}</h2><span>${isTrial && html`<span class="badge">${texts.trialBadge}</span> `}<span class="badge ${licence.status === 'active' ? 'good' : 'bad'}">${label}</span></span></div>
${text && html`<p>${text}</p>`}
${isTrial && licence.status === 'active' && html`<p>${canRenew ? texts.trialToBuy : texts.trial}</p>`}
${isInGrace && html`<p>${texts.inGrace(formatMomentDay(view.language, expires_at))}</p>`}
<dl>
<dt>${texts.key}</dt><dd><code>${key}</code></dd>
<dt>${texts.licence}</dt><dd><code class="copy" id="${id}-id">${id}</code></dd>
<dt>${licence.status === 'expired' ? texts.expiredOn : texts.expiresOn}</dt><dd>${end}</dd>
${paid_until !== expires_at && html`<dt>${texts.paidUntil}</dt><dd>${formatDay(view, paid_until)}</dd>`}
<dt>${texts.sitesInUse}</dt><dd>${texts.of(sites_used, sites_allowed)}</dd>
</dl>
${
  canRenew &&
  licence.status !== 'revoked' &&
  html`<p><a class="button${licence.status === 'expired' ? '' : ' quiet'}" href="renew?licence=${id}" aria-label="${isTrial ? texts.buyTrial : texts.renewOrChange} ${id}">${isTrial ? texts.buyTrial : licence.status === 'expired' ? texts.renew : texts.renewOrChange}</a></p>`
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
    : html`<p class="note after">${texts.noSites}</p>`
}
${
  licence.status !== 'revoked' &&
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
        html`<tr role="row"><td role="cell">${site_url}</td><td role="cell" data-title="${texts.activated}">${formatDay(view, activated_at, 'medium')}</td><td role="cell" data-title="${texts.deactivated}">${deactivated_at === null ? texts.active : formatDay(view, deactivated_at, 'medium')}</td></tr>`,
    )}</tbody>
</table></details>`
}
</section>`;
}

export function errorView(view: PortalView, status: number): ViewDocument {
  const { faults, account } = view.texts;
  const [title, text] = faults[String(status) as keyof typeof faults] ?? faults.other;
  return toCustomerPage(
    view,
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="./">${account.title}</a></p>`,
  );
}
