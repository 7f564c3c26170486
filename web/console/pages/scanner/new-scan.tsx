import {
  Button,
  type ButtonProps,
  Group,
  Modal,
  NativeSelect,
  Stack,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconScan } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Scan } from '../../api/types.ts';
import { notifyError } from '../../components/form.tsx';

const DEPTHS = [
  { value: '0', label: 'Home page only' },
  { value: '1', label: '1 link deep' },
  { value: '2', label: '2 links deep' },
  { value: '3', label: '3 links deep' },
  { value: '5', label: '5 links deep (maximum)' },
];
const DEFAULT_DEPTH = '1';

/** Starts a scan on the server and opens it. */
function useNewScan() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (depth: string) =>
      write<Scan>('POST', '/scanner/scans', { scan_depth: Number(depth) }),
    async onSuccess({ scan_id }) {
      void queryClient.invalidateQueries({ queryKey: ['scans'] });
      await navigate({ to: '/scanner/$id', params: { id: String(scan_id) } });
    },
    onError: notifyError,
  });
}

/** Starts a scan with the default options. */
export function FirstScanButton(props: Pick<ButtonProps, 'variant' | 'children'>) {
  const starting = useNewScan();
  return (
    <Button
      {...props}
      loading={starting.isPending}
      onClick={() => starting.mutate(DEFAULT_DEPTH)}
    />
  );
}

/** Asks what to scan, then starts the scan. */
export function NewScan() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [depth, setDepth] = useState(DEFAULT_DEPTH);
  const starting = useNewScan();
  return (
    <>
      <Button leftSection={<IconScan size={16} aria-hidden />} onClick={open}>
        New scan
      </Button>
      <Modal opened={isOpen} onClose={close} title="New scan" centered size="lg">
        <Stack>
          <NativeSelect
            label="Crawl depth"
            description="How many links from the home page a page may be away."
            data={DEPTHS}
            value={depth}
            onChange={({ currentTarget }) => setDepth(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              data-autofocus
              loading={starting.isPending}
              onClick={() => starting.mutate(depth)}
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
