import { Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { Section } from '../../components/section.tsx';

/** The declaration as a page of this server. */
export const getPublicPage = (language: string | undefined): string =>
  `${location.origin}/privacy/declaration/${language ? `?lang=${language}` : ''}`;

/** How a page of the site shows the declaration. */
export function Embed({
  language,
  linkText,
}: {
  language: string | undefined;
  /** Shown until the declaration has loaded. */
  linkText: string;
}) {
  const attribute = language ? ` language="${language}"` : '';
  const code = `<pavis-declaration${attribute}>
  <a href="${getPublicPage(language)}">${linkText}</a>
</pavis-declaration>
<script src="${location.origin}/declaration.js" defer></script>`;
  return (
    <Section title="On your site">
      <Text size="sm">
        Add this to a page, for example the privacy policy. It shows the result of each new scan.
      </Text>
      <Code block className="multiline break">
        {code}
      </Code>
      <Group>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              <span aria-live="polite">{copied ? 'Copied' : 'Copy code'}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
    </Section>
  );
}
