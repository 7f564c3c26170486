import { Alert, Button, Group } from '@mantine/core';

/** Says that the form has input from before the last sign-in or reload. */
export const Restored = ({ onDiscard }: { onDiscard: () => void }) => (
  <Alert role="status" color="yellow" title="Unsaved changes were restored.">
    <Group justify="space-between">
      Save them, or discard them to see the saved values.
      <Button size="compact-sm" variant="default" onClick={onDiscard}>
        Discard changes
      </Button>
    </Group>
  </Alert>
);
