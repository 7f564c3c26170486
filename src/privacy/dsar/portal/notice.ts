import { type Html, html } from '../../../platform/html.ts';
import type { Controller, Dsar, RetentionRule } from '../context.ts';
import type { Regime } from '../rules.ts';

/** What those who send a request are told about the use of what they send (GDPR Art. 13). */
export interface Notice {
  controller: Controller;
  regime: Regime;
  /** The policies in force for requests. */
  rules: readonly RetentionRule[];
}

/** Texts of the notice, in one language. */
export interface NoticeWords {
  title: string;
  controller: string;
  officer: string;
  purpose: { label: string; text: string };
  basis: { label: string; gdpr: string; other: string };
  retention: {
    label: string;
    rule: (period: string, action: RetentionRule['action']) => string;
    /** Where no policy says how long. */
    unset: string;
  };
  rights: { label: string; text: string };
  complaint: { label: string; text: string };
}

const UNITS = { days: 'day', months: 'month', years: 'year' } as const;

export async function readNotice({ site, platform }: Dsar): Promise<Notice> {
  const [{ controller, dsar }, rules] = [
    await site.settings(),
    await site.retentionRules(platform.datastore.db),
  ];
  const ofRequests = rules.filter(({ category }) => category === 'dsar_cases');
  return { controller, regime: dsar.regime, rules: ofRequests };
}

/** The notice, closed; what was not stated is left out. */
export function noticeSection(
  language: string,
  words: NoticeWords,
  { controller, regime, rules }: Notice,
): Html {
  const { name, address, email, dpo_name, dpo_email } = controller;
  const periods = rules.map(({ periodValue, periodUnit, action }) => {
    const unit = { style: 'unit', unit: UNITS[periodUnit], unitDisplay: 'long' } as const;
    return words.retention.rule(new Intl.NumberFormat(language, unit).format(periodValue), action);
  });
  const rows: [label: string, text: string][] = [
    [words.controller, [name, address, email].filter(Boolean).join('\n')],
    [words.officer, [dpo_name, dpo_email].filter(Boolean).join('\n')],
    [words.purpose.label, words.purpose.text],
    [words.basis.label, regime === 'gdpr' ? words.basis.gdpr : words.basis.other],
    [words.retention.label, periods.join('\n') || words.retention.unset],
    [words.rights.label, words.rights.text],
    [words.complaint.label, words.complaint.text],
  ];
  const stated = rows.filter(([, text]) => text !== '');
  return html`<details class="notice">
<summary>${words.title}</summary>
<dl>${stated.map(([label, text]) => html`<dt>${label}</dt><dd class="lines">${text}</dd>`)}</dl>
</details>`;
}
