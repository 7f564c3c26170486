import { Card, DataList, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { Allowed, useCan } from '../../components/access.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { QueryResult } from '../../components/states.tsx';

interface EnvironmentSetting {
  name: string;
  value: string;
}

const environmentQuery = queryOptions({
  queryKey: ['settings', 'environment'],
  queryFn: () => get<EnvironmentSetting[]>('/settings/environment'),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Descriptions of environment variables. */
const MEANINGS: Record<string, string> = {
  PAVIS_SMTP_URL: 'Mail server',
  PAVIS_MAIL_FROM: 'Sender address',
  PAVIS_SITE_TIMEZONE: 'Time zone of deadlines',
  PAVIS_RATE_LIMIT_DSAR: 'Requests per minute and address',
  PAVIS_SITE_URL: 'Site that is scanned',
  PAVIS_CHROMIUM: 'Browser',
  PAVIS_SCANNER_CONNECT_TO: 'Hosts at other addresses',
  PAVIS_SCANNER_INSECURE: 'Accept self-signed certificates',
  PAVIS_SCANNER_PAGE_MEMORY: 'Memory per page, in MB',
  PAVIS_ALLOWED_ORIGINS: 'Origins that are always allowed',
};

/** Environment variables that belong to a section. */
export function Fixed({ names }: { names: readonly string[] }) {
  const { data = [] } = useQuery({ ...environmentQuery, enabled: useCan('manage_options') });
  const shown = data.filter(({ name }) => names.includes(name));
  if (shown.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        Set by environment variables, read-only here
      </Text>
      <Variables settings={shown} />
    </div>
  );
}

const Variables = ({ settings }: { settings: readonly EnvironmentSetting[] }) => (
  <DataList orientation="vertical" withDivider mt="xs">
    {settings.map(({ name, value }) => (
      <DataList.Item key={name}>
        <DataList.ItemLabel>
          {MEANINGS[name]} <code>{name}</code>
        </DataList.ItemLabel>
        <DataList.ItemValue>{value}</DataList.ItemValue>
      </DataList.Item>
    ))}
  </DataList>
);

/** All environment variables. They change only with a restart. */
export function FixedSettings() {
  const settings = useQuery({ ...environmentQuery, enabled: useCan('manage_options') });
  return (
    <Allowed>
      <Card component="section" aria-labelledby="environment">
        <Title order={2} id="environment" tabIndex={-1}>
          Environment variables
        </Title>
        <Text c="dimmed">
          Set where the service is started and read-only here. A change takes effect with the next
          start. Secrets are masked.
        </Text>
        <Disclosure summary="Show all">
          <QueryResult query={settings}>{(all) => <Variables settings={all} />}</QueryResult>
        </Disclosure>
      </Card>
    </Allowed>
  );
}
