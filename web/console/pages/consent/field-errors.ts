import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { ConsentSettings } from '../../api/types.ts';
import { focusInvalidField } from '../../components/focus.ts';
import { capitalise } from '../../components/format.ts';
import { notifyError } from '../../components/notify.ts';
import { getFirstLanguage } from './banner-texts.ts';

interface FieldError {
  language: string;
  /** A form field or `getTranslationField`. */
  field: string;
  reason: string;
}

/** The form's name of a translated text; the server's index of it may change. */
export const getTranslationField = (language: string, ...path: string[]): string =>
  ['translated', language, ...path].join('.');

/** Parameters without a field of their own, for example `[categories]` and `[languages][3]`. */
const WITHOUT_FIELD = /^(\d+|categories|languages?|translations)$/;

/** The field of a server error such as `consent[translations][0][title] must be …`. */
export function findFieldError(consent: ConsentSettings, error: unknown): FieldError | undefined {
  const said = error instanceof ApiError ? error.params.consent : undefined;
  const [, path, reason] = /^consent\[([\w\][]+)\] (.+)$/s.exec(said ?? '') ?? [];
  if (!path || !reason) return undefined;
  const steps = path.split('][');
  if (WITHOUT_FIELD.test(steps.at(-1) ?? '')) return undefined;
  const found = { reason: capitalise(reason) };
  const [section, at, ...within] = steps;
  const translation = section === 'translations' ? consent.translations[Number(at)] : undefined;
  if (!translation)
    return { ...found, language: getFirstLanguage(consent), field: steps.join('.') };
  const { language } = translation;
  const [part = '', index, name = ''] = within;
  const category = part === 'categories' && translation.categories?.[Number(index)];
  const field = category
    ? getTranslationField(language, category.id, name)
    : getTranslationField(language, part);
  return { ...found, language, field };
}

/**
 * Shows a language and focuses its first invalid field once it is shown. If the refusal of the server is about a field
 * that is not on the page, it is a notification.
 */
export function useFocusInvalidField(shown: string, show: (language: string) => void) {
  const form = useRef<HTMLFormElement>(null);
  const [wanted, setWanted] = useState<{ language: string; refusal: unknown }>();
  useEffect(() => {
    if (wanted?.language !== shown || !form.current) return;
    if (!focusInvalidField(form.current) && wanted.refusal) notifyError(wanted.refusal);
    setWanted(undefined);
  }, [wanted, shown]);
  return {
    form,
    lead(language: string, refusal?: unknown) {
      setWanted({ language, refusal });
      show(language);
    },
  };
}
