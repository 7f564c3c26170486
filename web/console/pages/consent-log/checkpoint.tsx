import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getDownloadUrl } from '../../api/downloads.ts';
import type { ConsentLog } from '../../api/types.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Facts } from '../../components/facts.tsx';
import { Section } from '../../components/section.tsx';
import { checkpointQuery } from './queries.ts';

/** What others need to check the log: its public key and its newest checkpoint. */
export function CheckpointAndKey({ log }: { log: ConsentLog }) {
  const { origin, size, verifier_key } = log;
  const checkpoint = useQuery({ ...checkpointQuery(log), enabled: size > 0 });
  return (
    <Section title="Key and checkpoint">
      <Facts
        items={[
          [
            'Key name',
            <span key="name" className="break">
              {origin}
            </span>,
          ],
          ['Key ID', <code key="id">{verifier_key.split('+')[1]}</code>],
        ]}
      />
      <CopyField
        label="Verifier key"
        description="The public key of the log. Publish it, for example in your privacy policy: with it, others check receipts, proofs and checkpoints."
        value={verifier_key}
      />
      {checkpoint.data !== undefined && (
        <CopyField
          label="Checkpoint"
          description="A signed statement of what the log holds now. Keep a copy elsewhere: with it you can find out later whether the log was rewritten (pavis log verify --against FILE)."
          value={checkpoint.data}
        >
          <Button
            component="a"
            variant="default"
            href={getDownloadUrl('/consent/log/checkpoint')}
            download={`checkpoint-${size}.txt`}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download
          </Button>
        </CopyField>
      )}
    </Section>
  );
}
