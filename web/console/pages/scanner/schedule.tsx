import {
  Button,
  Card,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ApiError, write } from '../../api/client.ts';
import type { ScanSchedule, Settings } from '../../api/types.ts';
import { Allowed } from '../../components/access.tsx';
import { useChange } from '../../components/form.tsx';
import { formatMoment } from '../../components/format.ts';
import { notifyError } from '../../components/notify.ts';
import { TextLink } from '../../components/page.tsx';
import {
  describeCron,
  type Frequency,
  formatCron,
  parseCron,
  type Timing,
  WEEKDAYS,
} from './cron.ts';
import { DEPTHS } from './depths.ts';
import { scheduleQuery } from './queries.ts';
import { StatesField } from './states-field.tsx';

/** When the server scans the site by itself. */
export function Schedule() {
  const { data: schedule } = useQuery(scheduleQuery);
  const [isOpen, { open, close }] = useDisclosure(false);
  if (!schedule) return null;
  const { enabled, cron, next_run_at, last_scan } = schedule;
  return (
    <Card component="section" padding="md" aria-label="Schedule">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            {enabled ? describeCron(cron) : 'No scheduled scans'}
          </Title>
          <Text size="sm" c="dimmed">
            {enabled
              ? `Next scan: ${formatMoment(next_run_at)}. `
              : 'A scheduled scan emails you when new trackers load without consent or despite rejection. '}
            {last_scan && (
              <TextLink to="/scanner/$id" params={{ id: String(last_scan.scan_id) }} size="sm">
                Last scheduled scan
              </TextLink>
            )}
          </Text>
        </div>
        <Allowed>
          <Button variant="default" onClick={open}>
            {enabled ? 'Change schedule' : 'Set schedule'}
          </Button>
        </Allowed>
      </Group>
      <Modal opened={isOpen} onClose={close} title="Schedule" centered size="lg">
        <ScheduleForm schedule={schedule} onClose={close} />
      </Modal>
    </Card>
  );
}

type Fields = Timing & Pick<ScanSchedule, 'states' | 'depth'> & Record<string, unknown>;

const FREQUENCIES: readonly { value: Frequency; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'nightly', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'custom', label: 'Cron expression' },
];

function ScheduleForm({ schedule, onClose }: { schedule: ScanSchedule; onClose: () => void }) {
  const { enabled, cron, states, depth } = schedule;
  const timing = parseCron(cron);
  const form = useForm<Fields>({
    initialValues: {
      ...timing,
      frequency: enabled ? timing.frequency : 'off',
      cron,
      states,
      depth,
    },
    validate: {
      time: (time, { frequency }) =>
        time || frequency === 'off' || frequency === 'custom' ? null : 'Enter a time.',
    },
  });
  const saving = useChange({
    change: ({ states, depth, ...timing }: Fields) =>
      write<Settings>('PUT', '/settings', {
        scanner: {
          schedule:
            timing.frequency === 'off'
              ? { enabled: false }
              : { enabled: true, cron: formatCron(timing), states, depth },
        },
      }),
    stale: [['settings'], scheduleQuery.queryKey],
    done: 'The schedule was saved.',
    onDone: onClose,
    onFailed(error) {
      const [, problem] =
        /^scanner\[schedule\]\[cron\]: (.+)$/s.exec(
          (error instanceof ApiError && error.params.scanner) || '',
        ) ?? [];
      if (!problem) return notifyError(error);
      form.setFieldError('cron', problem);
      form.getInputNode('cron')?.focus();
    },
  });
  const { frequency } = form.values;
  const hasTime = frequency === 'nightly' || frequency === 'weekly';
  return (
    <form noValidate onSubmit={form.onSubmit((fields) => saving.mutate(fields))}>
      <Stack>
        <NativeSelect
          label="Scan the site"
          data={[...FREQUENCIES]}
          {...form.getInputProps('frequency')}
        />
        {frequency === 'weekly' && (
          <NativeSelect
            label="Day"
            data={WEEKDAYS.map((label, day) => ({ value: String(day), label }))}
            {...form.getInputProps('weekday')}
          />
        )}
        {hasTime && (
          <TextInput
            type="time"
            label="Time"
            description="In the time zone of the installation (PAVIS_SITE_TIMEZONE)."
            {...form.getInputProps('time')}
          />
        )}
        {frequency === 'custom' && (
          <TextInput
            label="Cron expression"
            description="Minute, hour, day of month, month and day of week, for example 0 3 * * 1-5. In the time zone of the installation (PAVIS_SITE_TIMEZONE)."
            {...form.getInputProps('cron')}
          />
        )}
        {frequency !== 'off' && (
          <>
            <StatesField
              value={form.values.states}
              onChange={(chosen) => form.setFieldValue('states', chosen)}
            />
            <NativeSelect
              label="Crawl depth"
              data={DEPTHS}
              value={String(form.values.depth)}
              onChange={({ currentTarget: { value } }) =>
                form.setFieldValue('depth', Number(value))
              }
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Save schedule
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
