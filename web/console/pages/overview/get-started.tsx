import { Card, Group, Progress, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../api/queries.ts';
import type { Scan } from '../../api/types.ts';
import { getBannerSnippet } from '../../components/banner-snippet.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { FirstScanButton } from '../scanner/start-scan.tsx';
import { activeScriptsQuery } from '../scripts/queries.ts';

const FIXED = { flex: 'none' };
const BANNER_SNIPPET = getBannerSnippet();

/** Whether the banner links to what it does in a new installation, also to that of the demo site or of a trial here. */
function isRequestForm(address: string): boolean {
  const { origin, hostname, pathname } = new URL(address);
  const isHere = origin === location.origin || ['localhost', '127.0.0.1'].includes(hostname);
  return isHere && /^(\/demo)?\/privacy\/$/.test(pathname);
}

/** The steps from an empty installation to a script that is blocked until consent; hidden once all are done. */
export function GetStarted({ last, hasChoices }: { last: Scan | undefined; hasChoices: boolean }) {
  const scripts = useQuery(activeScriptsQuery);
  const settings = useQuery(settingsQuery);
  if (!(scripts.data && settings.data)) return null;
  const [firstScript] = scripts.data.map(({ created_at }) => created_at).sort();
  const steps = [
    {
      title: 'Scan the site',
      text: 'Lists trackers, cookies and third parties of your pages.',
      isDone: last !== undefined,
      action: <FirstScanButton>Scan</FirstScanButton>,
    },
    {
      title: 'Link your privacy policy',
      text: 'Until you enter its address, the banner links to the request form (GDPR Art. 13). A later change asks visitors again.',
      isDone: !isRequestForm(settings.data.consent.privacy_url),
      action: <LinkButton to="/banner">Enter address</LinkButton>,
    },
    {
      title: 'Install the banner',
      text: (
        <>
          Add this as the first script of each page: <code className="break">{BANNER_SNIPPET}</code>
        </>
      ),
      isDone: hasChoices,
      action: <LinkButton to="/banner">View banner</LinkButton>,
    },
    {
      title: 'Block a script until consent',
      text: 'Choose one that loads before consent and select “Block until consent”.',
      isDone: firstScript !== undefined,
      action: last ? (
        <LinkButton
          to="/scanner/$id"
          params={{ id: String(last.scan_id) }}
          search={{ view: 'findings', only: 'open' }}
        >
          Choose
        </LinkButton>
      ) : (
        <LinkButton to="/scripts/new">Add script</LinkButton>
      ),
    },
    {
      title: 'Verify blocking',
      text: 'Scan again: the script is marked as blocked and no longer loads before consent.',
      isDone: Boolean(firstScript && last && last.started_at > firstScript),
      action: <LinkButton to="/scanner">Scan again</LinkButton>,
    },
    {
      title: 'Name the controller',
      text: 'Emails, the request form and the record of processing activities name the controller (GDPR Art. 4(7)).',
      isDone: settings.data.controller.name !== '',
      action: <LinkButton to="/settings">Open settings</LinkButton>,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  if (next < 0) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card component="section" aria-label="Get started">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Get started</Title>
        <Text size="sm" c="dimmed">
          {done} of {steps.length} done
        </Text>
      </Group>
      <Progress value={(100 * done) / steps.length} size="sm" mb="md" aria-hidden />
      <ol role="list" className="plain">
        {steps.map(({ title, text, isDone, action }, index) => (
          <Group
            component="li"
            wrap="nowrap"
            align="flex-start"
            gap="sm"
            py={5}
            key={title}
            aria-current={index === next ? 'step' : undefined}
          >
            {isDone ? (
              <IconCircleCheck size={20} color="var(--good)" style={FIXED} aria-hidden />
            ) : (
              <IconCircleDashed size={20} color="var(--soft)" style={FIXED} aria-hidden />
            )}
            <details open={index === next || undefined} style={{ flex: 1 }}>
              <Text
                component="summary"
                fw={index === next ? 600 : 400}
                c={isDone ? 'dimmed' : 'var(--ink)'}
              >
                {title}
                {isDone && <VisuallyHidden>, done</VisuallyHidden>}
              </Text>
              <Text component="div" size="sm" c="dimmed" mb="xs">
                {text}
              </Text>
              {action}
            </details>
          </Group>
        ))}
      </ol>
    </Card>
  );
}
