import { Button, Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { showFieldErrors, useChange } from '../../components/form.tsx';
import { REQUIRED } from '../../components/required.ts';
import { productsQuery } from '../products/queries.ts';
import {
  API_TOKENS,
  type ApiToken,
  type CreatedToken,
  STALE,
  type TokenScope,
  toEndOfDay,
} from './queries.ts';

const SCOPES: Record<TokenScope, string> = {
  'licences:read': 'Search and read licences and their activations',
  'licences:issue': 'Issue licences',
  'licences:write': 'Change, suspend, reinstate and revoke licences, and deactivate sites',
};

/** @param props.onDone receives the token in clear */
export function NewApiToken({ onDone }: { onDone: (created: CreatedToken) => void }) {
  const { data: products = [] } = useQuery(productsQuery);
  const form = useForm({
    initialValues: { name: '', scopes: [] as ApiToken['scopes'], product: '', expires_at: '' },
    validate: {
      name: (value) => (value.trim() ? null : 'Enter a name, for example Shop.'),
      scopes: (value) => (value.length > 0 ? null : 'Choose at least one scope.'),
    },
  });
  const creating = useChange({
    change: ({ name, scopes, product, expires_at }: typeof form.values) =>
      write<CreatedToken>('POST', API_TOKENS, {
        name: name.trim(),
        scopes,
        ...(product && { product }),
        ...(expires_at && { expires_at: toEndOfDay(expires_at) }),
      }),
    stale: STALE,
    onDone: (created) => {
      onDone(created);
      form.reset();
    },
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((fields) => creating.mutate(fields))}>
      <Stack maw="44rem">
        <TextInput
          label="Name"
          placeholder="Shop"
          {...REQUIRED}
          maxLength={64}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label="Scopes" required {...form.getInputProps('scopes')}>
          <Stack gap="xs" my="xs">
            {Object.entries(SCOPES).map(([scope, description]) => (
              <Checkbox
                key={scope}
                value={scope}
                label={<span className="mono">{scope}</span>}
                description={description}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label="Product"
            data={[
              { value: '', label: 'All products' },
              ...products.map(({ slug, name }) => ({ value: slug, label: name })),
            ]}
            {...form.getInputProps('product')}
          />
          <TextInput
            label="Last day"
            description="In UTC. Without one, it works until you revoke it"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            type="date"
            {...form.getInputProps('expires_at')}
          />
        </SimpleGrid>
        <div>
          <Button type="submit" loading={creating.isPending}>
            Create the API token
          </Button>
        </div>
      </Stack>
    </form>
  );
}
