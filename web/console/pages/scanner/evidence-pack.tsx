import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { getDownloadUrl } from '../../api/downloads.ts';

/** Downloads what a scan has shown, to file or to hand over. */
export function EvidencePack({ scanId }: { scanId: number }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        Evidence pack
      </Button>
      <Modal opened={isOpen} onClose={close} title="Evidence pack" centered>
        <Stack>
          <Text size="sm">
            A ZIP file to keep or hand over: a readable report with pictures of each page, all
            requests (HAR), cookies and storage without their values, the verdicts, and a manifest
            with SHA-256 hashes.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              component="a"
              data-autofocus
              href={getDownloadUrl(`/scanner/scans/${scanId}/evidence`)}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              Download
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
