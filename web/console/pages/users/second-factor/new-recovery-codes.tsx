import { Button, Text } from '@mantine/core';
import { Secret } from '../../../components/secret.tsx';

/** Recovery codes, which are shown only now. */
export const NewRecoveryCodes = ({
  codes,
  onSaved,
}: {
  codes: readonly string[];
  onSaved: () => void;
}) => (
  <Secret label="Recovery codes" value={codes.join('\n')}>
    <Text>
      Each code signs you in once if you have neither your app nor a passkey. Keep them where you
      keep important papers, not on the same phone.
    </Text>
    <div>
      <Button variant="default" onClick={onSaved}>
        I have saved them
      </Button>
    </div>
  </Secret>
);
