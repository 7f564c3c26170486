import { Switch } from '@mantine/core';
import type { Tagged } from '../../api/client.ts';
import type { Settings } from '../../api/types.ts';
import { TextLink } from '../../components/page.tsx';
import { SettingsCard } from '../settings/card.tsx';

const LABELS = {
  public: 'Publish the log',
  mail_checkpoint: 'Email the day’s checkpoint',
  witnesses: 'Witnesses',
};

/** Whether the log is public, and whether checkpoints are sent by email. */
export const Publication = ({ settings }: { settings: Tagged<Settings> }) => (
  <SettingsCard
    section="consent_log"
    settings={settings}
    title="Publication"
    labels={LABELS}
    save="Save publication"
    done="The publication of the log was saved."
  >
    {(form) => (
      <>
        <Switch
          label={LABELS.public}
          description="Everyone can read the checkpoint, hashes and entries, but no consent choice and nothing about visitors. Readers learn how many choices were recorded. Default: off."
          {...form.getInputProps('public', { type: 'checkbox' })}
        />
        <Switch
          label={LABELS.mail_checkpoint}
          description={<Recipient controller={settings.value.controller} />}
          // It can have a link, so it is not hidden, and is within the label.
          attributes={{}}
          aria-label={LABELS.mail_checkpoint}
          {...form.getInputProps('mail_checkpoint', { type: 'checkbox' })}
        />
      </>
    )}
  </SettingsCard>
);

function Recipient({ controller: { email, dpo_email } }: Pick<Settings, 'controller'>) {
  const to = dpo_email || email;
  return (
    <>
      Once a day, if the log has grown. A rewritten log contradicts the emails that were sent
      before. Default: on.{' '}
      {to ? (
        <>
          It goes to <span className="break">{to}</span>,{' '}
          {dpo_email ? 'the data protection officer.' : 'the controller.'}
        </>
      ) : (
        <>
          No address is set, so nothing is sent. Enter the email of the data protection officer or
          the controller in the{' '}
          <TextLink to="/settings" inherit>
            settings
          </TextLink>
          .
        </>
      )}
    </>
  );
}
