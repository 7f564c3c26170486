import { Button, CopyButton } from '@mantine/core';
import type { Script } from '../../api/types.ts';

type Registered = Pick<Script, 'handle' | 'label' | 'category' | 'script_url' | 'blocking_method'>;

const quoted = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** What stands in the page in place of the tag, by how it is held back. */
const MARKUP = {
  type_attribute: ({ handle, script_url }) =>
    `<script type="text/plain" data-pavis-script="${handle}" src="${quoted(script_url)}"></script>`,
  data_src: ({ handle, script_url }) =>
    `<img data-pavis-script="${handle}" data-src="${quoted(script_url)}" alt="">`,
  iframe_placeholder: ({ handle, script_url, label }) =>
    `<iframe data-pavis-script="${handle}" data-src="${quoted(script_url)}" title="${quoted(label)}"></iframe>`,
  dynamic_load: undefined,
} satisfies Record<Script['blocking_method'], ((script: Registered) => string) | undefined>;

/** The step that only the site can take: a tag that loads by itself waits for nobody. */
export function InThePage({ script }: { script: Registered }) {
  const markup = MARKUP[script.blocking_method]?.(script);
  return (
    <section className="fields card">
      <h2 style={{ margin: 0 }}>In the page</h2>
      {markup ? (
        <>
          <p style={{ margin: 0 }}>
            Nobody can stop what a page loads by itself. Unless the system of the site heeds this
            registry, as that of the demo site does, put this in place of the tag, with its full
            address; the banner lets it through once it may.
          </p>
          <pre className="mono small break" style={{ margin: 0, whiteSpace: 'pre-wrap' }}>
            <code>{markup}</code>
          </pre>
          {script.blocking_method === 'type_attribute' && (
            <p className="soft small" style={{ margin: 0 }}>
              A snippet that has its code in the page, as tag managers do, keeps it, and begins with{' '}
              <code>{`<script type="text/plain" data-category="${script.category}">`}</code>.
            </p>
          )}
          <div>
            <CopyButton value={markup}>
              {({ copied, copy }) => (
                <Button size="compact-sm" variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </div>
        </>
      ) : (
        <p style={{ margin: 0 }}>
          The banner loads it once it may. Unless the system of the site heeds this registry, as
          that of the demo site does, take its own tag out of the page.
        </p>
      )}
    </section>
  );
}
