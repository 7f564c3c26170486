import { Button, CopyButton, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Script } from '../../api/types.ts';
import { resultsQuery, scansQuery } from '../scanner/queries.ts';
import {
  ELEMENTS_BY_METHOD,
  type ElementKind,
  toBlockedTags,
  toElementKind,
  toSnippet,
} from './snippets.ts';

const NAMES: Record<ElementKind, string> = {
  script: 'script',
  iframe: 'frame',
  img: 'image',
  link: 'stylesheet',
};

/** What the last scan saw the address in; none before the first scan, or if no page has it. */
function useElements({ id }: Script): ElementKind[] {
  const scans = useQuery(scansQuery());
  const last = scans.data?.items.find(({ status }) => status === 'completed');
  const results = useQuery({
    ...resultsQuery(String(last?.scan_id)),
    enabled: last !== undefined,
  });
  const own = (results.data?.results ?? []).filter(
    ({ script_id, initiator }) => script_id === id && initiator === null,
  );
  const kinds = own.map(({ resource_type, details }) =>
    toElementKind(resource_type, (details as { subtype?: unknown }).subtype),
  );
  return [...new Set(kinds)].filter((kind) => kind !== undefined);
}

/** The step that only the site can take: a tag that loads by itself waits for nobody. */
export function InThePage({ script }: { script: Script }) {
  const seen = useElements(script);
  const byMethod = ELEMENTS_BY_METHOD[script.blocking_method];
  if (byMethod.length === 0) {
    return (
      <section className="fields card">
        <h2 style={{ margin: 0 }}>In the page</h2>
        <p style={{ margin: 0 }}>
          The banner loads it after consent. Remove its own tag from the page, unless the system of
          the site applies this registry, as that of the demo site does.
        </p>
      </section>
    );
  }
  return (
    <section className="fields card">
      <h2 style={{ margin: 0 }}>In the page</h2>
      <p style={{ margin: 0 }}>
        Replace its tag in the page with this snippet, with its full address. The banner activates
        it after consent. You need not, if the system of the site applies this registry, as that of
        the demo site does.
      </p>
      {(seen.length > 0 ? seen : byMethod).map((kind, _, kinds) => (
        <Snippet
          key={kind}
          text={toSnippet(kind, script)}
          title={
            kinds.length > 1
              ? `For ${kind === 'img' || kind === 'iframe' ? 'an' : 'a'} ${NAMES[kind]}`.replace(
                  'an frame',
                  'a frame',
                )
              : undefined
          }
        />
      ))}
      <Converter script={script} />
    </section>
  );
}

function Snippet({ text, title }: { text: string; title?: string | undefined }) {
  return (
    <div className="stack" style={{ gap: '0.5rem' }}>
      {title && <strong>{title}</strong>}
      <pre className="mono small break" style={{ margin: 0, whiteSpace: 'pre-wrap' }}>
        <code>{text}</code>
      </pre>
      <div>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  );
}

/** Makes the blocked form of the site's own tag, with its other attributes or its code. */
function Converter({ script }: { script: Script }) {
  const [text, setText] = useState('');
  const blocked = text.trim() ? toBlockedTags(text, script) : undefined;
  return (
    <>
      <Textarea
        label="Convert the tag of your page"
        description="Paste a script, iframe, image or stylesheet tag. Its other attributes, such as async, and code within it are kept."
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div role="status">
        {blocked !== undefined && <Snippet text={blocked} title="Blocked until consent" />}
        {text.trim() && blocked === undefined && (
          <p className="soft small" style={{ margin: 0 }}>
            There is no script, iframe, image or stylesheet tag in this text.
          </p>
        )}
      </div>
    </>
  );
}
