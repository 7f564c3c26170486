import { Alert, Button, Card, Code, FileInput, List, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { postTagged, type Tagged } from '../../api/client.ts';
import type { SettingsImport } from '../../api/types.ts';
import { useChange } from '../../components/form.tsx';
import { explainError } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { ImportReport } from './import-report.tsx';

/** More than the API takes: larger files are not sent. */
const FILE_MAX_BYTES = 256 * 1024;

/** Reads the export of another banner, shows what would change, and imports it. */
export function BannerImport() {
  const [file, setFile] = useState<File | null>(null);
  const [language, setLanguage] = useState('');
  const [report, setReport] = useState<Tagged<SettingsImport>>();
  const [problem, setProblem] = useState('');
  const checking = useChange({
    async change(chosen: File) {
      if (chosen.size > FILE_MAX_BYTES)
        throw new Error(
          'The file is larger than 256 KiB. Choose the export of the banner settings.',
        );
      const content = await chosen.text();
      return postTagged<SettingsImport>('/settings/import', {
        content,
        ...(language && { language }),
      });
    },
    stale: [],
    onDone: setReport,
    onFailed: (error) => setProblem(explainError(error)),
  });
  const reset = () => {
    setReport(undefined);
    setProblem('');
  };
  return (
    <Page
      title="Import from another banner"
      intro="Import texts, categories, position and consent lifetime from the settings of another banner. You see what is imported and what is not before anything changes."
      back={{ to: '/banner', label: 'Banner' }}
    >
      <Stack>
        <Card
          component="form"
          maw="44rem"
          onSubmit={(event) => {
            event.preventDefault();
            reset();
            if (file) checking.mutate(file);
            else setProblem('Choose a file.');
          }}
        >
          <Stack>
            <HowToExport />
            <FileInput
              label="Exported file"
              accept=".json,.txt,application/json"
              value={file}
              onChange={(chosen) => {
                setFile(chosen);
                reset();
              }}
            />
            <TextInput
              label="Language of the texts"
              description="Only for files that do not state it (Complianz), for example de. Default: the first language of the banner"
              value={language}
              onChange={({ currentTarget }) => {
                setLanguage(currentTarget.value.trim());
                reset();
              }}
            />
            {problem && (
              <Alert
                role="alert"
                color="red"
                icon={<IconAlertTriangle aria-hidden />}
                title="The file could not be read"
                className="break"
              >
                {problem}
              </Alert>
            )}
            <div>
              <Button type="submit" loading={checking.isPending}>
                Check the file
              </Button>
            </div>
          </Stack>
        </Card>
        {report && <ImportReport report={report} />}
      </Stack>
    </Page>
  );
}

const HowToExport = () => (
  <Stack gap="xs">
    <Text>Supported exports:</Text>
    <List spacing="xs">
      <List.Item>
        <b>Complianz 7</b>: in WordPress, Complianz, Tools, Data, Export settings.
      </List.Item>
      <List.Item>
        <b>CookieYes 3</b> (WordPress): the tables <Code>cky_banners</Code>,{' '}
        <Code>cky_cookie_categories</Code> and <Code>cky_cookies</Code>, exported as JSON, for
        example with phpMyAdmin.
      </List.Item>
      <List.Item>
        <b>vanilla-cookieconsent 3</b>: in the console of the browser, on a page with the banner,{' '}
        <Code className="break">copy(JSON.stringify(CookieConsent.getConfig()))</Code>, pasted into
        a file. If your build bundles the library, save the object that your code passes to{' '}
        <Code>CookieConsent.run</Code> as JSON.
      </List.Item>
    </List>
  </Stack>
);
