import { Button, Group, Modal, NativeSelect, Stack, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconScan } from '@tabler/icons-react';
import { useState } from 'react';
import { DEPTHS } from './depths.ts';
import { DEFAULT_OPTIONS, useNewScan } from './start-scan.tsx';
import { StatesField } from './states-field.tsx';

/** Asks what to scan, then starts the scan. */
export function NewScan() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const starting = useNewScan();
  return (
    <>
      <Button leftSection={<IconScan size={16} aria-hidden />} onClick={open}>
        New scan
      </Button>
      <Modal opened={isOpen} onClose={close} title="New scan" centered size="lg">
        <Stack>
          <StatesField
            value={options.states}
            onChange={(states) => setOptions({ ...options, states })}
          />
          <NativeSelect
            label="Crawl depth"
            description="How many links away from the home page a page may be."
            data={DEPTHS}
            value={String(options.scan_depth)}
            onChange={({ currentTarget: { value } }) =>
              setOptions({ ...options, scan_depth: Number(value) })
            }
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              data-autofocus
              loading={starting.isPending}
              onClick={() => starting.mutate(options)}
            >
              Start scan
            </Button>
          </Group>
          <VisuallyHidden role="status">{starting.isPending && 'Starting the scan'}</VisuallyHidden>
        </Stack>
      </Modal>
    </>
  );
}
