import { Button, Code, CopyButton, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Script } from '../../api/types.ts';
import { Section } from '../../components/section.tsx';
import { allResourcesQuery, lastScanQuery } from '../scanner/queries.ts';
import {
  ELEMENTS_BY_METHOD,
  type ElementKind,
  toBlockedTags,
  toElementKind,
  toSnippet,
} from './snippets.ts';

const ELEMENT_NAMES: Record<ElementKind, string> = {
  script: 'script',
  iframe: 'iframe',
  img: 'image',
  link: 'stylesheet',
};

/** The kinds of element that load the script on the scanned pages; empty before the first scan. */
function useElements({ id }: Script): ElementKind[] {
  const scans = useQuery(lastScanQuery);
  const last = scans.data?.last;
  const resources = useQuery({
    ...allResourcesQuery(String(last?.scan_id)),
    enabled: last !== undefined,
  });
  const own = (resources.data ?? []).filter(
    ({ script_id, initiator }) => script_id === id && initiator === null,
  );
  const kinds = own.map(({ resource_type, details }) =>
    toElementKind(resource_type, (details as { subtype?: unknown }).subtype),
  );
  return [...new Set(kinds)].filter((kind) => kind !== undefined);
}

/** The snippet that replaces the original tag of a script in the page. */
export function SnippetCard({ script }: { script: Script }) {
  const seen = useElements(script);
  const byMethod = ELEMENTS_BY_METHOD[script.blocking_method];
  if (byMethod.length === 0) {
    return (
      <Section title="Snippet">
        <Text>
          The banner loads this script after consent. Remove the original tag from the page, unless
          your CMS applies the blocking rules of this registry, as the demo site does.
        </Text>
      </Section>
    );
  }
  return (
    <Section title="Snippet">
      <Text>
        Replace the original tag with this snippet. The banner activates it after consent. If your
        CMS applies the blocking rules of this registry, as the demo site does, you do not need to.
      </Text>
      {(seen.length > 0 ? seen : byMethod).map((kind, _, kinds) => (
        <Snippet
          key={kind}
          text={toSnippet(kind, script)}
          title={
            kinds.length > 1
              ? `For ${kind === 'img' || kind === 'iframe' ? 'an' : 'a'} ${ELEMENT_NAMES[kind]}`
              : undefined
          }
        />
      ))}
      <Converter script={script} />
    </Section>
  );
}

function Snippet({ text, title }: { text: string; title?: string | undefined }) {
  return (
    <Stack gap="xs">
      {title && <strong>{title}</strong>}
      <Code block className="multiline">
        {text}
      </Code>
      <div>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
    </Stack>
  );
}

/** Converts a tag of the page to its blocked form, keeping its other attributes and inline code. */
function Converter({ script }: { script: Script }) {
  const [text, setText] = useState('');
  const blocked = text.trim() ? toBlockedTags(text, script) : undefined;
  return (
    <>
      <Textarea
        label="Convert a tag"
        description="Paste a script, iframe, image or stylesheet tag. Other attributes, such as async, and inline code are kept."
        minRows={2}
        maxRows={10}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div role="status">
        {blocked !== undefined && <Snippet text={blocked} title="Blocked until consent" />}
        {text.trim() && blocked === undefined && (
          <Text size="sm" c="dimmed">
            No script, iframe, image or stylesheet tag found.
          </Text>
        )}
      </div>
    </>
  );
}
