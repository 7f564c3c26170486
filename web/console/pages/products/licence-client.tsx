import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { LICENCE_ROOT } from '../../api/client.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Section } from '../../components/section.tsx';

/** Code for a plugin that checks its licence. */
export function LicenceClient({ slug }: { slug: string }) {
  const file = `${LICENCE_ROOT}/licence/client/${slug}.php`;
  const baseUrl = new URL(LICENCE_ROOT || '/', window.location.origin).href.replace(/\/$/, '');
  return (
    <Section title="Licence client">
      <Text>
        Add the PHP file to your plugin. It activates the site, checks the licence in the background
        and keeps the features while this server cannot be reached. In WordPress it also installs
        updates, if the product has a release key when you download the file.
      </Text>
      <Group>
        <Button
          component="a"
          variant="default"
          href={file}
          download={`${slug}-licence.php`}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download the PHP file
        </Button>
      </Group>
      <Disclosure summary="Other languages">
        <CopyField label="curl example" value={createCurlExample(baseUrl, slug)} />
        <CopyField label="TypeScript example" value={createTypeScriptExample(baseUrl, slug)} />
      </Disclosure>
    </Section>
  );
}

const createCurlExample = (baseUrl: string, slug: string): string => `KEY=pv_live_…
BODY="{\\"licence_key\\":\\"$KEY\\",\\"site_url\\":\\"https://shop.example\\",\\"product\\":\\"${slug}\\"}"
for CALL in activate validate lease; do
  curl ${baseUrl}/licence/$CALL -H "x-licence-key: $KEY" -H 'content-type: application/json' -d "$BODY"
done`;

const createTypeScriptExample = (
  baseUrl: string,
  slug: string,
): string => `import { createLocalJWKSet, jwtVerify } from 'jose';
import { licenceClient } from 'pavis/client'; // npm install ${new URL('/client.tgz', baseUrl).href}

const licences = licenceClient({ baseUrl: '${baseUrl}', licenceKey });
const body = { licence_key: licenceKey, site_url: 'https://shop.example', product: '${slug}' };
await licences.call('POST /licence/activate', { body });
const { lease } = await licences.call('POST /licence/lease', { body });

// Offline. Ship the keys with your plugin.
const keys = createLocalJWKSet(await licences.call('GET /licence/public-key'));
const { payload } = await jwtVerify(lease, keys, {
  issuer: 'pavis',
  typ: 'pavis-lease+jwt',
  algorithms: ['EdDSA'],
});
if (payload.product !== '${slug}' || payload.site_url !== body.site_url) throw new Error('Another site');`;
