import { Stack, Text, Title } from '@mantine/core';
import type { Declaration } from '../../api/types.ts';
import { DataTable } from '../../components/table.tsx';

type Category = Declaration['categories'][number];
type Recipient = Category['recipients'][number];

/** The declaration as visitors read it. */
export function Preview({ declaration }: { declaration: Declaration }) {
  const { language, category_language, categories, labels } = declaration;
  return (
    <Stack lang={language}>
      <Text>{labels.lead}</Text>
      <Text size="sm" c="dimmed">
        {labels.basis}
      </Text>
      {categories.map(({ id, label, description, recipients }) => (
        <section key={id ?? ''}>
          <Title order={3} lang={category_language}>
            {label}
          </Title>
          <Text size="sm" c="dimmed" mb="sm" lang={category_language}>
            {description}
          </Text>
          <Stack component="ul" role="list" className="plain">
            {recipients.map((recipient) => (
              <li key={recipient.name}>
                <RecipientEntry recipient={recipient} labels={labels} />
              </li>
            ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}

function RecipientEntry({
  recipient: { name, note, purposes, legal_bases, third_countries, safeguards, domains, stored },
  labels,
}: {
  recipient: Recipient;
  labels: Declaration['labels'];
}) {
  const facts = [
    [labels.purpose, purposes],
    [labels.legal_basis, legal_bases],
    [labels.domains, domains],
    [labels.third_countries, third_countries],
    [labels.safeguards, safeguards],
  ] as const;
  return (
    <Stack gap={4}>
      <Text fw={600} c="var(--ink)">
        {name}
      </Text>
      {note && <Text size="sm">{note}</Text>}
      {facts.map(
        ([label, values]) =>
          values.length > 0 && (
            <Text key={label} size="sm" className="break">
              {label}: {values.join(', ')}
            </Text>
          ),
      )}
      {stored.length > 0 && (
        <DataTable
          label={name}
          rows={stored}
          getKey={({ kind, name: stored_name, domain }) => `${kind} ${stored_name} ${domain}`}
          columns={[
            {
              title: labels.columns.name,
              cell: (each) => <code className="break">{each.name}</code>,
            },
            { title: labels.columns.kind, cell: ({ kind_label }) => kind_label },
            { title: labels.columns.domain, cell: ({ domain }) => domain },
            { title: labels.columns.duration, cell: ({ duration }) => duration },
          ]}
        />
      )}
    </Stack>
  );
}
