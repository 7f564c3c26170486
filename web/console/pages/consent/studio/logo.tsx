import { SimpleGrid, TextInput } from '@mantine/core';
import { WholeNumberInput } from '../../../components/whole-number-input.tsx';
import type { BannerFields } from '../text-field.tsx';
import { findLogoHeightProblem } from './appearance.ts';

/** What a form checks before it is sent. */
export const LOGO_RULES = { height: findLogoHeightProblem };
const NEW = { url: '', alt: '', height: 32 };

/** The logo. Without an address there is none. */
export function Logo({ form }: { form: BannerFields }) {
  const { appearance } = form.values;
  const logo = appearance.logo ?? NEW;
  const set = (changes: Partial<typeof NEW>) => {
    for (const name of Object.keys(changes)) form.clearFieldError(`appearance.logo.${name}`);
    const changed = { ...logo, ...changes };
    form.setFieldValue('appearance', { ...appearance, logo: changed.url ? changed : null });
  };
  return (
    <>
      <TextInput
        label="Logo address"
        description="A path on your site, or an address on an allowed origin: other servers would learn of the visit before consent"
        placeholder="/logo.svg"
        value={logo.url}
        error={form.errors['appearance.logo.url']}
        onChange={({ currentTarget }) => set({ url: currentTarget.value.trim() })}
      />
      {appearance.logo && (
        <SimpleGrid type="container" cols={{ base: 1, '27rem': 2 }}>
          <TextInput
            label="Alternative text of the logo"
            description="Empty if it is decorative"
            value={logo.alt}
            maxLength={200}
            onChange={({ currentTarget }) => set({ alt: currentTarget.value })}
          />
          <WholeNumberInput
            label="Height of the logo (px)"
            description="Reserved, so that nothing moves"
            value={logo.height}
            error={form.errors['appearance.logo.height']}
            // As it is typed: the form checks it.
            onChange={(height) => set({ height: height as number })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
