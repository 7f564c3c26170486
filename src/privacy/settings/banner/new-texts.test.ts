import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../defaults.ts';
import { findLanguageTexts } from './languages/index.ts';
import { addNewTexts } from './new-texts.ts';
import { TEXT_NAMES } from './schemas.ts';
import { getTexts } from './texts.ts';

const NEW = 'withdraw_text';

describe('Texts that a stored version lacks', () => {
  it('are those that Pavis ships in the language of each text', async () => {
    const { consent } = defaultSettings('https://example.com');
    const { [NEW]: _ours, ...stored } = { ...consent, languages: ['fr', 'de-AT', 'ca'] };
    const translations = [
      { language: 'de-AT', title: 'Ihre Privatsphäre' },
      { language: 'ca', title: 'La vostra privacitat' },
    ];
    const config = await addNewTexts({ ...consent, ...stored, translations }, stored);
    expect(getTexts(config, 'fr')[NEW]).toBe('Retirer mon consentement');
    expect(getTexts(config, 'de-AT')).toMatchObject({
      [NEW]: 'Einwilligung widerrufen',
      title: 'Ihre Privatsphäre',
      // Left out on purpose, because the version could have it.
      save_text: consent.save_text,
    });
    expect(getTexts(config, 'ca')[NEW]).toBe('Retirer mon consentement');
  });

  it('are none in a version that has all', async () => {
    const { consent } = defaultSettings('https://example.com');
    expect(await addNewTexts(consent)).toBe(consent);
  });

  it('exist in each language', async () => {
    const texts = await findLanguageTexts('et');
    expect(TEXT_NAMES.filter((name) => !texts?.[name])).toEqual([]);
  });
});
