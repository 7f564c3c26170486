import { type Html, html } from '../../../platform/html.ts';
import type { Controller, Dsar, RetentionRule } from '../context.ts';
import { getRightsLaw, type Regime } from '../rules.ts';
import type { PageTexts } from './en.ts';

/** The information that Art. 13 GDPR requires when data is collected from the data subject. */
export interface Notice {
  controller: Controller;
  regime: Regime;
  /** The retention policies in force for requests. */
  rules: readonly RetentionRule[];
}

const UNITS = { days: 'day', months: 'month', years: 'year' } as const;

export async function readNotice({ site, platform }: Dsar): Promise<Notice> {
  const { controller, dsar } = await site.settings();
  const rules = await site.retentionRules(platform.datastore.db);
  const ofRequests = rules.filter(({ category }) => category === 'dsar_cases');
  return { controller, regime: dsar.regime, rules: ofRequests };
}

/** Collapsed, without facts that are not set. */
export function noticeSection(
  language: string,
  texts: PageTexts['notice'],
  { controller, regime, rules }: Notice,
): Html {
  const { name, address, email, dpo_name, dpo_email } = controller;
  const periods = rules.map(({ periodValue, periodUnit, action }) => {
    const unit = { style: 'unit', unit: UNITS[periodUnit], unitDisplay: 'long' } as const;
    return texts.retention.rule(new Intl.NumberFormat(language, unit).format(periodValue), action);
  });
  const law = getRightsLaw(regime);
  const rows: [label: string, text: string][] = [
    [texts.controller, [name, address, email].filter(Boolean).join('\n')],
    [texts.officer, [dpo_name, dpo_email].filter(Boolean).join('\n')],
    [texts.purpose.label, texts.purpose.text],
    [
      texts.basis.label,
      regime === 'gdpr' || regime === 'uk' ? texts.basis[regime] : texts.basis.other,
    ],
    [texts.retention.label, periods.join('\n') || texts.retention.unset],
    [texts.rights.label, texts.rights[law]],
    [texts.complaint.label, texts.complaint.by[law](email)],
  ];
  const filled = rows.filter(([, text]) => text !== '');
  return html`<details class="notice">
<summary>${texts.title}</summary>
<dl>${filled.map(([label, text]) => html`<dt>${label}</dt><dd class="lines">${text}</dd>`)}</dl>
</details>`;
}
