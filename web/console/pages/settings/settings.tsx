import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { taggedSettingsQuery } from '../../api/queries.ts';
import { ReadOnlyNotice } from '../../components/access.tsx';
import { Page } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { Contents } from './contents.tsx';
import { ControllerForm } from './controller.tsx';
import { EmailForm } from './email.tsx';
import { FixedSettings } from './environment.tsx';
import { OriginsCard } from './origins-card.tsx';
import { RequestsForm } from './requests.tsx';
import { ScannerForm } from './scanner.tsx';

/** All settings except those of the banner. */
export function SettingsScreen() {
  const settings = useQuery(taggedSettingsQuery);
  return (
    <Page
      title="Settings"
      intro="The controller, emails, subject requests, the scanner and allowed origins. The banner has its own page."
    >
      <QueryResult query={settings} lines={10}>
        {(all) => (
          <div className="wide-narrow">
            <Stack>
              <ReadOnlyNotice />
              <ControllerForm settings={all} />
              <EmailForm settings={all} />
              <RequestsForm settings={all} />
              <ScannerForm settings={all} />
              <OriginsCard allowed={all.value.origins.allowed} />
              <FixedSettings />
            </Stack>
            <Contents />
          </div>
        )}
      </QueryResult>
    </Page>
  );
}
