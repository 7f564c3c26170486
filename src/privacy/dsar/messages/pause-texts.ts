import { formatDay } from '../../../platform/clock.ts';
import { asksRequester, isOverdue } from '../rules.ts';
import type { Case } from '../store.ts';

/** What decides how a request on hold is explained to the requester. */
export type Pause = Pick<Case, 'ground' | 'pausedOn' | 'deadline'>;

const en = {
  identity: 'We need to verify your identity before we can continue.',
  clarification: 'We need more information from you before we can continue.',
  other:
    'We cannot continue with your request at the moment. You do not need to do anything. We will write to you when we continue.',
  paused: (since: string) =>
    `The deadline has been paused since ${since}. It continues when we have your answer.`,
  running: (deadline: string) => `The deadline does not change: it is ${deadline}.`,
  overdue: (deadline: string) => `The deadline has passed: it was ${deadline}.`,
};

const TEXTS: Record<string, typeof en> = {
  en,
  de: {
    identity: 'Wir müssen Ihre Identität prüfen, bevor wir Ihren Antrag weiter bearbeiten können.',
    clarification:
      'Wir benötigen weitere Angaben von Ihnen, bevor wir Ihren Antrag weiter bearbeiten können.',
    other:
      'Wir können Ihren Antrag im Moment nicht weiter bearbeiten. Sie brauchen nichts zu tun. Wir schreiben Ihnen, sobald wir ihn weiter bearbeiten.',
    paused: (since) =>
      `Die Frist ruht seit dem ${since}. Sie läuft weiter, sobald wir Ihre Antwort haben.`,
    running: (deadline) => `Die Frist ändert sich nicht: Sie endet am ${deadline}.`,
    overdue: (deadline) => `Die Frist ist abgelaufen: Sie endete am ${deadline}.`,
  },
};

/**
 * Explains to the requester why a request is on hold, and whether the deadline is paused. Emails and the
 * status page show the same text.
 * @param today `YYYY-MM-DD`, where the site is
 */
export function formatPause(language: string, pause: Pause, today: string): string {
  const { ground, pausedOn, deadline } = pause;
  const texts = TEXTS[language] ?? en;
  const reason = asksRequester(ground) ? texts[ground] : texts.other;
  const describeRunning = isOverdue({ deadline, today }) ? texts.overdue : texts.running;
  const clock =
    pausedOn === null
      ? describeRunning(formatDay(language, deadline))
      : texts.paused(formatDay(language, pausedOn));
  return `${reason} ${clock}`;
}
