import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../components/form.tsx';
import { type Decision, DecisionDialog } from './decision-dialog.tsx';
import {
  findLoader,
  getTitle,
  isBlockable,
  isOwnCookie,
  notifyBlocked,
  STALE_AFTER_DECISION,
  sendDecision,
} from './decisions.ts';
import type { Resource } from './queries.ts';

/** Blocks a resource or records another decision about it. */
export function ResourceActions({ scanId, resource }: { scanId: number; resource: Resource }) {
  const { state, script_id, decision_ids, needs_consent, open_reason, category } = resource;
  const [decision, setDecision] = useState<Decision>();
  const navigate = useNavigate();
  const title = getTitle(resource);
  const blocking = useChange({
    change: () => sendDecision({ scan_id: scanId, findings: decision_ids, decision: 'blocked' }),
    stale: STALE_AFTER_DECISION,
    onDone: (answer) => notifyBlocked(answer, title),
  });
  const loader = open_reason === 'other_script' ? findLoader(resource) : undefined;
  if (!needs_consent && script_id === null) return null;
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {isBlockable(resource) && (
        <Button
          size="compact-sm"
          variant="light"
          loading={blocking.isPending}
          aria-label={`Block until consent: ${title}`}
          onClick={() => blocking.mutate(undefined)}
        >
          Block
        </Button>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size="lg"
            miw={{ base: 44, md: 34 }}
            mih={{ base: 44, md: 34 }}
            aria-label={`More actions: ${title}`}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {loader !== undefined && (
            <Menu.Item
              onClick={() =>
                navigate({
                  to: '/scripts/new',
                  search: {
                    url: loader,
                    method: 'type_attribute',
                    label: new URL(loader).pathname.split('/').findLast(Boolean) ?? title,
                    ...(category && { category }),
                  },
                })
              }
            >
              Block the script that loads it
            </Menu.Item>
          )}
          {needs_consent && isOwnCookie(resource) && (
            <Menu.Item onClick={() => setDecision('classified')}>Classify cookie</Menu.Item>
          )}
          {needs_consent && state === 'open' && (
            <>
              <Menu.Item onClick={() => setDecision('necessary')}>Strictly necessary</Menu.Item>
              <Menu.Item onClick={() => setDecision('ignored')}>Ignore</Menu.Item>
            </>
          )}
          {needs_consent && state !== 'open' && (
            <Menu.Item onClick={() => setDecision(state === 'ignored' ? 'ignored' : 'necessary')}>
              Change decision
            </Menu.Item>
          )}
          {script_id !== null && (
            <Menu.Item
              onClick={() => navigate({ to: '/scripts/$id', params: { id: String(script_id) } })}
            >
              View in script registry
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <DecisionDialog
        scanId={scanId}
        resources={[resource]}
        decision={decision}
        onClose={() => setDecision(undefined)}
      />
    </Group>
  );
}
