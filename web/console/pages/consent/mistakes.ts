import { useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../../api/client.ts';
import type { ConsentSettings } from '../../api/types.ts';
import { focusInvalidField } from '../../components/focus.ts';
import { capitalise } from '../../components/format.ts';
import { firstLanguage } from './wording.ts';

interface Mistake {
  language: string;
  /** As the form knows it, or `translationField`. */
  field: string;
  reason: string;
}

/** What a text in another language than the first is called among the mistakes; its place in the lists may change. */
export const translationField = (language: string, ...path: string[]): string =>
  ['translated', language, ...path].join('.');

/** What has no field, as `[categories]` and `[languages][3]`. */
const WITHOUT_FIELD = /^(\d+|categories|languages?|translations)$/;

/** Where the server sees a mistake that has a field, which it says as `consent[translations][0][title] must be …`. */
export function mistakeIn(consent: ConsentSettings, error: unknown): Mistake | undefined {
  const said = error instanceof ApiFailure ? error.params.consent : undefined;
  const [, path, reason] = /^consent\[([\w\][]+)\] (.+)$/s.exec(said ?? '') ?? [];
  if (!path || !reason) return undefined;
  const steps = path.split('][');
  if (WITHOUT_FIELD.test(steps.at(-1) ?? '')) return undefined;
  const mistake = { reason: capitalise(reason) };
  const [section, at, ...within] = steps;
  const translation = section === 'translations' ? consent.translations[Number(at)] : undefined;
  if (!translation) return { ...mistake, language: firstLanguage(consent), field: steps.join('.') };
  const { language } = translation;
  const [part = '', index, name = ''] = within;
  const category = part === 'categories' && translation.categories?.[Number(index)];
  const field = category
    ? translationField(language, category.id, name)
    : translationField(language, part);
  return { ...mistake, language, field };
}

/** Leads to the first mistake of a form in a language, as soon as that is the one that is shown. */
export function useLead(shown: string, show: (language: string) => void) {
  const form = useRef<HTMLFormElement>(null);
  const [wanted, setWanted] = useState<string>();
  useEffect(() => {
    if (wanted !== shown) return;
    if (form.current) focusInvalidField(form.current);
    setWanted(undefined);
  }, [wanted, shown]);
  return {
    form,
    lead(language: string) {
      setWanted(language);
      show(language);
    },
  };
}
