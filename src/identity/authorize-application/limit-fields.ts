import { type Html, html } from '../../platform/html.ts';
import { SCOPES } from '../../platform/rest/scopes.ts';
import { type Choices, LIVES, type Offer } from './choices.ts';

/** How long the application password works. */
export const lifeField = ({ days }: Choices): Html => html`<div class="field">
<label for="days">Expiry</label>
<select id="days" name="days">${LIVES.map(
  (life) =>
    html`<option value="${life.days}"${life.days === days && html` selected`}>${life.label}</option>`,
)}</select>
</div>`;

/**
 * What the application can do: all that the user can, or scopes.
 * @param appName as the page names it
 * @param access what the role of the user allows, in words
 * @param wrong the error of the scopes
 */
export const rightsFields = (
  choices: Choices,
  offer: Offer,
  { appName, access, wrong }: { appName: string; access: string; wrong: string | undefined },
): Html => html`${!offer.isAsked && rightsField(choices, access)}
<fieldset class="scopes" aria-describedby="scopes-hint${wrong !== undefined && ' scopes-wrong'}">
<legend class="large">What it can do</legend>
<p class="hint" id="scopes-hint">${
  offer.isAsked
    ? html`${appName} asks for this. Untick what it should not be able to do. `
    : html`Within your rights, also when these change. `
}Changing something does not include reading it: scopes that end in <code>write</code> do not include <code>read</code>.</p>
${
  offer.beyondRole.length > 0 &&
  html`<p>It also asks for what your role does not allow, and does not get it: <code>${offer.beyondRole.join(', ')}</code>.</p>`
}
${wrong !== undefined && html`<span class="wrong" id="scopes-wrong">${wrong}</span>`}
<div class="options">${offer.offered.map(
  (scope) => html`<div class="choice">
<input type="checkbox" id="scope-${scope}" name="scopes" value="${scope}" aria-describedby="scope-${scope}-hint"${choices.scopes.includes(scope) && html` checked`}>
<label for="scope-${scope}">${SCOPES[scope].description}</label>
<span class="hint" id="scope-${scope}-hint"><code>${scope}</code></span>
</div>`,
)}</div>
</fieldset>`;

const rightsField = ({ rights }: Choices, access: string): Html => html`<fieldset>
<legend class="large">Rights</legend>
<div class="choice">
<input type="radio" id="rights-all" name="rights" value="all" aria-describedby="rights-all-hint"${rights === 'all' && html` checked`}>
<label for="rights-all">All rights of the user</label>
<span class="hint" id="rights-all-hint">The application can then do ${access}.</span>
</div>
<div class="choice">
<input type="radio" id="rights-chosen" name="rights" value="chosen"${rights === 'chosen' && html` checked`}>
<label for="rights-chosen">Only what you choose</label>
</div>
</fieldset>`;
