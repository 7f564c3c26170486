import { html } from '../../platform/html.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import { toCustomerPage } from '../customers/index.ts';
import { UNLIMITED_SITES } from '../licences/index.ts';
import { DEFAULT_PRODUCT } from '../products/index.ts';
import { LINK_HOURS, type TrialStarted, type Trials } from '../trials/index.ts';
import { renderProblem } from './account-views.ts';
import type { PortalView } from './context.ts';
import { formatDay } from './format-day.ts';
import { formatSites, inLanguageOfVendor } from './licence-card.ts';

interface TrialForm {
  offered: Trials;
  /** Empty for the default product until the vendor gives it a name. */
  productName: string;
  /** The tier, email address and site that were entered. */
  entered: { tier: string; email: string; site: string };
  wrong?: { form: string } | { field: 'email' | 'site' } | undefined;
}

/** Where a visitor asks for a trial. */
export function trialPage(
  view: PortalView,
  { offered, productName, entered, wrong }: TrialForm,
): ViewDocument {
  const { trial: texts, problem, buy, account } = view.texts;
  const title = productName ? texts.titleOf(productName) : texts.title;
  const { product, trials } = offered;
  const wrongField = wrong && 'field' in wrong ? wrong.field : undefined;
  const messages = { email: texts.emailWrong, site: texts.siteWrong };
  const summary =
    wrong && 'form' in wrong
      ? wrong.form
      : wrongField && html`<ul><li><a href="#${wrongField}">${messages[wrongField]}</a></li></ul>`;
  const renderField = (name: 'email' | 'site', type: string, more: string) => {
    const message = wrongField === name && messages[name];
    return html`<div class="field">
<label for="${name}">${texts[name]}</label>
<span class="hint" id="${name}-hint">${texts[`${name}Hint`]}</span>
${message && html`<span class="wrong" id="${name}-wrong">${message}</span>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${more}" spellcheck="false" aria-required="true" value="${entered[name]}" aria-describedby="${name}-hint${message && ` ${name}-wrong`}"${message && html` aria-invalid="true"`}>
</div>`;
  };
  return toCustomerPage(
    view,
    wrong === undefined ? title : problem,
    html`<h1>${title}</h1>
<p class="lead">${texts.ends}</p>
${renderProblem(view, summary)}
<form method="post" action="trial" novalidate accept-charset="utf-8">
${product !== DEFAULT_PRODUCT && html`<input type="hidden" name="product" value="${product}">`}
<fieldset><legend class="large">${buy.tier}</legend>${trials.map(
      ({ tier, plan, days, sites, description }) => html`<div class="choice">
<input type="radio" id="tier-${tier}" name="tier" value="${tier}" aria-describedby="tier-${tier}-about"${tier === entered.tier && html` checked`}>
<label for="tier-${tier}">${plan}</label>
<span class="about" id="tier-${tier}-about"><span class="hint">${formatSites(view, sites)}, ${texts.days(days)}.${description !== null && html` ${inLanguageOfVendor(view, description)}`}</span></span>
</div>`,
    )}</fieldset>
${renderField('email', 'email', 'email')}
${renderField('site', 'url', 'url')}
<p class="note">${texts.once}</p>
<button>${texts.send}</button>
</form>
<p class="after"><a href="./">${account.title}</a></p>`,
  );
}

export function trialMailedPage(view: PortalView): ViewDocument {
  const { trial: texts, signIn } = view.texts;
  return toCustomerPage(
    view,
    signIn.mailedTitle,
    html`<h1>${signIn.mailedTitle}</h1>
<p class="lead">${texts.mailed(LINK_HOURS)}</p>`,
  );
}

/** The page that the email links to. */
export function startTrialPage(view: PortalView, token: string): ViewDocument {
  const { trial: texts } = view.texts;
  return toCustomerPage(
    view,
    texts.confirmTitle,
    html`<h1>${texts.confirmTitle}</h1>
<p class="lead">${texts.ends}</p>
<form method="post" action="start-trial">
<input type="hidden" name="token" value="${token}">
<button>${texts.confirm}</button>
</form>`,
  );
}

/** Shows the key once. */
export function trialStartedPage(
  view: PortalView,
  {
    id,
    licence_key,
    mode,
    plan,
    sites_allowed,
    expires_at,
    productName,
  }: TrialStarted & {
    productName: string;
  },
): ViewDocument {
  const { trial: texts, account, buy } = view.texts;
  return toCustomerPage(
    view,
    texts.startedTitle,
    html`<h1>${texts.startedTitle}</h1>
<p class="lead">${texts.started}</p>
<p class="done"><code class="copy">${licence_key}</code></p>
<dl>
<dt>${account.licence}</dt><dd><code>${id}</code></dd>
<dt>${buy.tier}</dt><dd>${productName && `${productName} – `}${plan}${mode === 'test' && ` (${account.test})`}</dd>
<dt>${account.sites}</dt><dd>${sites_allowed >= UNLIMITED_SITES ? buy.unlimited : sites_allowed}</dd>
<dt>${texts.endsOn}</dt><dd>${formatDay(view, expires_at)}</dd>
</dl>
<p>${texts.ends}</p>
<p class="after"><a href="./">${texts.account}</a></p>`,
  );
}

export function trialFailedPage(view: PortalView, error: string): ViewDocument {
  const { trial: texts } = view.texts;
  return toCustomerPage(
    view,
    texts.failedTitle,
    html`<h1>${texts.failedTitle}</h1>
<p class="lead">${texts.failed[error]}</p>
<p><a class="button" href="./">${texts.account}</a></p>`,
  );
}
