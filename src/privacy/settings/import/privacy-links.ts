import type { HtmlText } from './html-text.ts';

type Link = HtmlText['links'][number];

/** How a privacy policy is called in the languages of the banner texts that Pavis ships, and in addresses. */
const PRIVACY =
  /privac|priv[aā]t|príobh|datenschutz|confiden[tțc]ial|riservatezza|protecci[oó]n.de.(?:los.)?datos|prote[cç][aã]o.de.dados|gizlilik|tietosuoja|integritet|persondata|pers[oó]nuvernd|personvern|prywatno|osobn[íiý]|adatkezel|adatv[eé]d|andmekait|zasebnost|απορρ[ηή]τ|поверително|конф[иі]денц|פרטיות|خصوصية|プライバシー|[隐隱]私/iu;
const COOKIES = /cookie/i;

/** The link to the privacy policy by its text or address, or else to the cookie policy. */
export const findPrivacyLink = (links: readonly Link[]): Link | undefined =>
  [PRIVACY, COOKIES]
    .map((words) => links.find(({ text, href }) => words.test(text) || words.test(href)))
    .find((link) => link !== undefined);
