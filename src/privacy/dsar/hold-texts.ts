import { formatDay } from '../../platform/clock.ts';
import { asksRequester } from './rules.ts';
import type { Case } from './store.ts';

/** What a hold means for the requester. */
export type Hold = Pick<Case, 'ground' | 'pausedOn' | 'deadline'>;

interface HoldTexts {
  identity: string;
  clarification: string;
  nothing: string;
  paused(since: string): string;
  running(deadline: string): string;
}

const TEXTS: Record<string, HoldTexts> = {
  en: {
    identity: 'We need to be sure that the request is yours before we can continue.',
    clarification: 'We need more information from you before we can continue.',
    nothing:
      'We cannot continue with your request for the moment. You need not do anything; we will write to you when we continue.',
    paused: (since) =>
      `The deadline has been paused since ${since}. It continues when we have your answer.`,
    running: (deadline) => `The deadline does not change: it is ${deadline}.`,
  },
  de: {
    identity:
      'Wir müssen sicher sein, dass die Anfrage von Ihnen ist, bevor wir weiterarbeiten können.',
    clarification: 'Wir brauchen weitere Angaben von Ihnen, bevor wir weiterarbeiten können.',
    nothing:
      'Wir können Ihre Anfrage im Moment nicht weiter bearbeiten. Sie müssen nichts tun; wir schreiben Ihnen, sobald es weitergeht.',
    paused: (since) =>
      `Die Frist ruht seit dem ${since}. Sie läuft weiter, sobald wir Ihre Antwort haben.`,
    running: (deadline) => `Die Frist ändert sich nicht: Sie endet am ${deadline}.`,
  },
};

/**
 * What a hold means for the requester, in one paragraph: what is asked of them, and whether the
 * deadline is paused. Emails and the status page say the same.
 */
export function holdText(language: string, { ground, pausedOn, deadline }: Hold): string {
  const texts = (TEXTS[language] ?? TEXTS.en) as HoldTexts;
  const asked = asksRequester(ground) ? texts[ground] : texts.nothing;
  const clock =
    pausedOn === null
      ? texts.running(formatDay(language, deadline))
      : texts.paused(formatDay(language, pausedOn));
  return `${asked} ${clock}`;
}
