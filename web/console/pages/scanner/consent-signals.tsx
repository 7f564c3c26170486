import { Stack, Text, Title } from '@mantine/core';
import type { ScanState, Visit } from '../../api/types.ts';
import { formatCount } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import { DataTable } from '../../components/table.tsx';
import { getStateLabel, sortStates } from './states.ts';

const KINDS = {
  ad_storage: 'Cookies for advertising',
  analytics_storage: 'Cookies for analytics',
  ad_user_data: 'User data for advertising',
  ad_personalization: 'Personalised advertising',
} as const;
type Kind = keyof typeof KINDS;

/** What the requests of all visits in a state say about a kind of consent. */
function describeConsent(kind: Kind, state: ScanState, visits: readonly Visit[]): string {
  const isAfter = state !== 'before' && state !== 'gpc';
  const values = visits
    .filter((visit) => visit.state === state)
    .flatMap(({ signals }) => signals.consent_mode)
    .filter(({ is_after_choice }) => is_after_choice === isAfter)
    .map(({ consent }) => consent[kind]?.in_force)
    .filter((value) => value != null);
  const isGranted = values.includes('granted');
  if (values.length === 0) return '–';
  return isGranted && values.includes('denied') ? 'Differs' : isGranted ? 'Granted' : 'Denied';
}

/** What pages tell vendors about consent: Consent Mode of Google and Microsoft, and TC strings. */
export function ConsentSignals({ visits }: { visits: readonly Visit[] }) {
  const states = sortStates(visits.map(({ state }) => state));
  const hasConsentMode = visits.some(({ signals }) => signals.consent_mode.length > 0);
  const strings = states.flatMap((state) => {
    const found = visits.find((visit) => visit.state === state && visit.signals.tcf);
    return found?.signals.tcf ? [{ state, tcf: found.signals.tcf }] : [];
  });
  if (!hasConsentMode && strings.length === 0) return null;
  return (
    <Section title="Consent signals">
      {hasConsentMode && (
        <div>
          <Title order={3}>Consent Mode</Title>
          <Text size="sm" c="dimmed" mb="xs">
            What requests to Google and Microsoft report about consent.
          </Text>
          <DataTable
            label="Consent Mode"
            rows={Object.keys(KINDS) as Kind[]}
            getKey={(kind) => kind}
            columns={[
              {
                title: 'Signal',
                cell: (kind) => (
                  <>
                    {KINDS[kind]}
                    <Text size="xs" c="dimmed" className="mono">
                      {kind}
                    </Text>
                  </>
                ),
              },
              ...states.map((state) => ({
                title: getStateLabel(state),
                cell: (kind: Kind) => describeConsent(kind, state, visits),
              })),
            ]}
          />
        </div>
      )}
      {strings.length > 0 && (
        <div>
          <Title order={3}>TC string</Title>
          <Text size="sm" c="dimmed" mb="xs">
            What the page offers to vendors of the IAB Transparency and Consent Framework.
          </Text>
          <Stack component="ul" role="list" className="plain" gap={4}>
            {strings.map(({ state, tcf }) => (
              <li key={state}>
                <strong>{getStateLabel(state)}:</strong> consent for{' '}
                {formatCount(tcf.purpose_consents.length, 'purpose')} and{' '}
                {formatCount(tcf.vendor_consents, 'vendor')}, legitimate interest for{' '}
                {formatCount(tcf.purpose_legitimate_interests.length, 'purpose')},{' '}
                {tcf.vendors_disclosed === null
                  ? 'disclosed vendors missing'
                  : `${formatCount(tcf.vendors_disclosed, 'vendor')} disclosed`}
                .
              </li>
            ))}
          </Stack>
        </div>
      )}
    </Section>
  );
}
