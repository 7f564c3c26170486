import { MultiSelect, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Tagged } from '../../api/client.ts';
import { vendorNamesQuery } from '../../api/queries.ts';
import type { Settings } from '../../api/types.ts';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { isWithin } from '../../components/within.ts';
import { StatesField } from '../scanner/states-field.tsx';
import { SettingsCard } from './card.tsx';
import { Fixed } from './environment.tsx';

const LABELS = {
  max_pages: 'Pages per scan',
  concurrency: 'Pages at a time',
  states: 'Default states',
  ignore_robots: 'Scan pages that robots.txt disallows',
  necessary_vendors: 'Strictly necessary vendors',
  schedule: 'Schedule',
};

/** Settings of the scanner, and vendors that need no consent. */
export function ScannerForm({ settings }: { settings: Tagged<Settings> }) {
  const { data: vendors = [] } = useQuery(vendorNamesQuery);
  return (
    <SettingsCard
      section="scanner"
      settings={settings}
      title="Scanner"
      labels={LABELS}
      validate={{ max_pages: isWithin(1, 10_000), concurrency: isWithin(1, 16) }}
      save="Save scanner settings"
      done="The scanner settings were saved."
    >
      {(form) => {
        const chosen = form.values.necessary_vendors;
        const known = vendors.map(({ slug, name }) => ({ value: slug, label: name }));
        const unknown = chosen.filter((slug) => !vendors.some((vendor) => vendor.slug === slug));
        return (
          <>
            <WholeNumberInput
              label={LABELS.max_pages}
              description="A scan stops after so many pages. 1 to 10,000. Default: 200."
              {...form.getInputProps('max_pages')}
            />
            <WholeNumberInput
              label={LABELS.concurrency}
              description="More is faster and uses more memory here and more of your site's capacity. 1 to 16. Default: 2."
              {...form.getInputProps('concurrency')}
            />
            <StatesField
              label={LABELS.states}
              description="For pavis scan without --states, and for programs that name no states. A new scan in the console starts with all five, and the schedule has its own. Default: before a choice and after acceptance."
              value={form.values.states}
              onChange={(states) => form.setFieldValue('states', states)}
            />
            <Switch
              label={LABELS.ignore_robots}
              description="For a site of your own whose robots.txt keeps search engines out, such as a staging site. Default: off."
              {...form.getInputProps('ignore_robots', { type: 'checkbox' })}
            />
            <MultiSelect
              label={LABELS.necessary_vendors}
              description="Vendors without which a service that visitors ask for does not work (ePrivacy Directive, Art. 5(3)): what they load needs no consent. Up to 100. Default: none. Applies to pages that are scanned from now on."
              placeholder={chosen.length === 0 ? 'None' : undefined}
              data={[...known, ...unknown.map((slug) => ({ value: slug, label: slug }))]}
              searchable
              maxValues={100}
              nothingFoundMessage="No vendor has this name."
              {...form.getInputProps('necessary_vendors')}
            />
            <Fixed
              names={[
                'PAVIS_SITE_URL',
                'PAVIS_CHROMIUM',
                'PAVIS_SCANNER_CONNECT_TO',
                'PAVIS_SCANNER_INSECURE',
                'PAVIS_SCANNER_PAGE_MEMORY',
              ]}
            />
          </>
        );
      }}
    </SettingsCard>
  );
}
