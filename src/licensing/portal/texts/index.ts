import type { Language } from '../../branding/index.ts';
import { de } from './de.ts';
import { en, type PortalTexts } from './en.ts';

const TEXTS: Record<Language, PortalTexts> = { en, de };

export const getPortalTexts = (language: Language): PortalTexts => TEXTS[language];
export type { PortalTexts };
