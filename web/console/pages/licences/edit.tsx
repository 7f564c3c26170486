import { Alert, NativeSelect, Switch, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, putTagged } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { useChange } from '../../components/form.tsx';
import { formatCount, toLabel } from '../../components/format.ts';
import { notifyError } from '../../components/notify.ts';
import { REQUIRED } from '../../components/required.ts';
import { useKeptInput } from '../../components/typed-text.ts';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { isWithin } from '../../components/within.ts';
import { productsQuery, toPlanChoices } from '../products/queries.ts';
import { ActionForm } from './action-form.tsx';
import { FeatureOverrides } from './feature-overrides.tsx';
import { ADMIN_PATH, licenceQuery, STALE, type TaggedLicence } from './queries.ts';

const toFields = ({
  tier,
  sites_allowed,
  grace_days,
  development_sites_free,
  notes,
  features_added,
  features_removed,
}: TaggedLicence) => ({
  tier,
  sites_allowed,
  grace_days,
  development_sites_free,
  notes,
  features_added,
  features_removed,
});
type Saved = ReturnType<typeof toFields>;
/** Numbers as their fields have them, which can be empty. */
type Fields = Omit<Saved, 'sites_allowed' | 'grace_days'> &
  Record<'sites_allowed' | 'grace_days', number | string>;

/** The current state of the licence, for a user who edited an older one. */
const describe = ({ tier, sites_allowed, grace_days, notes, ...fields }: Saved) =>
  [
    toLabel(tier),
    formatCount(sites_allowed, 'site'),
    `grace period of ${formatCount(grace_days, 'day')}`,
    fields.development_sites_free ? 'development sites not counted' : 'development sites counted',
    notes ? `notes “${notes}”` : 'no notes',
    fields.features_added.length > 0 && `added features ${fields.features_added.join(' and ')}`,
    fields.features_removed.length > 0 &&
      `removed features ${fields.features_removed.join(' and ')}`,
  ]
    .filter(Boolean)
    .join(', ');

/** Edits a licence. Sends only changed fields, and only if no other user has changed the licence in the meantime. */
export function EditLicence({ licence, onClose }: { licence: TaggedLicence; onClose: () => void }) {
  // The values at the start of editing. Fields that other users have changed since then are not sent.
  const [{ opened, fields }, setInput] = useKeptInput(
    'edit',
    { opened: licence, fields: toFields(licence) as Fields },
    (input) => JSON.stringify(input.fields) !== JSON.stringify(toFields(input.opened)),
  );
  const [base, setBase] = useState(opened);
  const [isOutdated, setOutdated] = useState(false);
  const set = (changes: Partial<Fields>) =>
    setInput((input) => ({ ...input, fields: { ...input.fields, ...changes } }));
  const { sites_allowed, grace_days } = fields;
  const sitesProblem = isWithin(1, 1_000_000)(sites_allowed);
  const graceProblem = isWithin(0, 365)(grace_days);
  const [isChecked, setChecked] = useState(false);
  const saving = useChange({
    change() {
      const original = toFields(opened);
      const numbers = { sites_allowed: Number(sites_allowed), grace_days: Number(grace_days) };
      const changed = Object.entries({ ...fields, ...numbers }).filter(
        ([name, value]) => String(value) !== String(original[name as keyof Saved]),
      );
      return putTagged(`${ADMIN_PATH}/${licence.id}`, Object.fromEntries(changed), base.etag);
    },
    stale: STALE,
    done: 'The licence was changed.',
    onDone: onClose,
    async onFailed(error) {
      if (!(error instanceof ApiError && error.status === 412)) return notifyError(error);
      setBase(await queryClient.fetchQuery({ ...licenceQuery(licence.id), staleTime: 0 }));
      setOutdated(true);
    },
  });
  const { data: products } = useQuery(productsQuery);
  const product = products?.find(({ slug }) => slug === licence.product);
  return (
    <ActionForm
      title="Edit the licence"
      save="Save changes"
      isBusy={saving.isPending}
      onCancel={onClose}
      onSubmit={() => {
        setChecked(true);
        if (!sitesProblem && !graceProblem) saving.mutate(undefined);
      }}
    >
      {isOutdated && (
        <Alert role="alert" color="yellow" title="Another user has changed this licence.">
          It is now: {describe(toFields(base))}. Review your changes and save again.
        </Alert>
      )}
      <NativeSelect
        label="Tier"
        description="Does not change the number of sites"
        data={product ? toPlanChoices(product, licence.tier) : [fields.tier]}
        value={fields.tier}
        onChange={({ currentTarget }) => set({ tier: currentTarget.value })}
      />
      <WholeNumberInput
        label="Sites"
        description={
          Number(sites_allowed) < licence.sites_used
            ? `${licence.sites_used} sites are active. They stay valid, and no other can be activated.`
            : 'How many sites can be active'
        }
        {...REQUIRED}
        error={isChecked && sitesProblem}
        value={sites_allowed}
        onChange={(value) => set({ sites_allowed: value })}
      />
      <WholeNumberInput
        label="Grace period (days)"
        description="How long it keeps working after expiry"
        {...REQUIRED}
        error={isChecked && graceProblem}
        value={grace_days}
        onChange={(value) => set({ grace_days: value })}
      />
      <Switch
        label="Do not count development sites"
        description="localhost, *.test and staging.… are not counted"
        checked={fields.development_sites_free}
        onChange={({ currentTarget }) => set({ development_sites_free: currentTarget.checked })}
      />
      <FeatureOverrides
        plan={product?.plans.find(({ tier }) => tier === fields.tier)}
        added={fields.features_added}
        removed={fields.features_removed}
        onChange={set}
      />
      <Textarea
        label="Notes"
        description="For your staff. The Licence API does not show them; customers get them when they ask for their personal data."
        minRows={2}
        maxRows={12}
        maxLength={5_000}
        value={fields.notes}
        onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
      />
    </ActionForm>
  );
}
