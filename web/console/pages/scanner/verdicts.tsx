import { Group, Text, VisuallyHidden } from '@mantine/core';
import type { ScanState, Verdict } from '../../api/types.ts';
import { StatusBadge, type Tone } from '../../components/badges.tsx';

interface VerdictText {
  /** The state in which the resource should not have been seen. */
  violates?: ScanState;
  tone: Tone;
  label: string;
  /** What the visits of the scan have shown. */
  meaning: string;
}

/** In the order of the API: by the moment at which a visitor is first affected. */
export const VERDICTS: Readonly<Record<Verdict, VerdictText>> = {
  loaded_without_consent: {
    violates: 'before',
    tone: 'bad',
    label: 'Loaded without consent',
    meaning:
      'It loads before any choice, although it requires consent (ePrivacy Directive, Art. 5(3)).',
  },
  loaded_despite_rejection: {
    violates: 'rejected',
    tone: 'bad',
    label: 'Loaded despite rejection',
    meaning: 'It loads after the visitor has rejected. The banner does not keep its promise.',
  },
  not_stopped_by_withdrawal: {
    violates: 'withdrawn',
    tone: 'bad',
    label: 'Not stopped by withdrawal',
    meaning:
      'It still loads after consent was withdrawn (GDPR, Art. 7(3)). The banner does not keep its promise.',
  },
  ignores_gpc: {
    violates: 'gpc',
    tone: 'bad',
    label: 'Ignores GPC',
    meaning: 'It loads although the browser sends Global Privacy Control.',
  },
  cookieless_ping: {
    tone: 'neutral',
    label: 'Cookieless ping',
    meaning: 'A request of Google Consent Mode without identifiers, sent while consent is missing.',
  },
  blocked_until_consent: {
    tone: 'good',
    label: 'Blocked until consent',
    meaning: 'It loads only after the visitor has accepted.',
  },
  strictly_necessary: {
    tone: 'good',
    label: 'Strictly necessary',
    meaning: 'It requires no consent.',
  },
};

const BROKEN_PROMISES: readonly Verdict[] = [
  'loaded_despite_rejection',
  'not_stopped_by_withdrawal',
];

/** Broken promises first: visitors have refused these. */
export const byWeight = (a: Verdict, b: Verdict): number =>
  Number(BROKEN_PROMISES.includes(b)) - Number(BROKEN_PROMISES.includes(a));

export const VerdictBadge = ({ verdict }: { verdict: Verdict }) => (
  <StatusBadge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</StatusBadge>
);

/** The gravest verdict of a resource, and how many others it has. */
export function GravestVerdict({ verdicts }: { verdicts: readonly Verdict[] }) {
  const [gravest, ...others] = verdicts.toSorted(byWeight);
  if (!gravest) return null;
  return (
    <Group gap={6} wrap="nowrap">
      <VerdictBadge verdict={gravest} />
      {others.length > 0 && (
        <Text span size="xs" c="dimmed">
          +{others.length}
          <VisuallyHidden>
            {': '}
            {others.map((verdict) => VERDICTS[verdict].label).join(', ')}
          </VisuallyHidden>
        </Text>
      )}
    </Group>
  );
}
