import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { get, write } from '../../api/client.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { notifyError } from '../../components/notify.ts';

const PATH = '/consent/subject-key';
interface Key {
  key: string;
}

/** The same as in docs/guides/several-devices.md. */
const NODE = `import { createHmac, randomBytes } from 'node:crypto';

function createSubjectToken(userId) {
  const key = process.env.PAVIS_SUBJECT_KEY;
  const sign = (text) => createHmac('sha256', key).update(text).digest('base64url');
  const issued = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(12).toString('base64url');
  const signed = \`v1.\${sign(\`subject:\${userId}\`)}.\${issued}.\${nonce}\`;
  return \`\${signed}.\${sign(signed)}\`;
}`;
const PHP = `function create_subject_token($user_id) {
  $key = getenv('PAVIS_SUBJECT_KEY');
  $encode = fn($bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
  $sign = fn($text) => $encode(hash_hmac('sha256', $text, $key, true));
  $signed = 'v1.' . $sign("subject:$user_id") . '.' . time() . '.' . $encode(random_bytes(12));
  return $signed . '.' . $sign($signed);
}`;

/** The subject key, read on request because the security log records it, and code that makes tokens. */
export function SubjectKey() {
  const [isSure, setSure] = useState(false);
  const read = useMutation({
    mutationFn: (method: 'GET' | 'POST') =>
      method === 'GET' ? get<Key>(PATH) : write<Key>(method, PATH),
    onSuccess: () => setSure(false),
    onError: notifyError,
  });
  return (
    <Stack>
      <Group gap="sm">
        <Button variant="default" loading={read.isPending} onClick={() => read.mutate('GET')}>
          Show subject key
        </Button>
        <Button
          variant="default"
          color="red"
          onClick={() => (isSure ? read.mutate('POST') : setSure(true))}
        >
          {isSure ? 'Rotate now' : 'Rotate subject key'}
        </Button>
      </Group>
      {isSure && (
        <Text size="sm" role="status">
          Tokens of the current key stop counting at once, and shared choices are deleted. Choices
          stay on each device.
        </Text>
      )}
      {read.data && <CopyField label="Subject key" value={read.data.key} />}
      <Text size="sm" c="dimmed">
        Keep the key on your server, as PAVIS_SUBJECT_KEY. Add the token to the tag of the banner
        for signed-in people: data-subject="TOKEN". Do not cache these pages for others.
      </Text>
      <CopyField label="Node.js" value={NODE} />
      <CopyField label="PHP" value={PHP} />
    </Stack>
  );
}
