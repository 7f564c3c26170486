import { hasValidHost } from '../../platform/http/host-name.ts';

/** Characters that URL parsers treat differently or that end an HTML attribute. */
const AMBIGUOUS = /[\\<>"`]/;

/** Why an address cannot be that of a script; undefined if it can. */
export function getScriptUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || AMBIGUOUS.test(text) || !hasValidHost(url))
    return 'script_url must be an http or https URL with a valid host name and without backslashes, quotation marks and angle brackets, for example https://cdn.example.com/script.js.';
  if (url.username || url.password || /^https?:\/\/[^/?#]*@/i.test(text))
    return 'script_url must not hold a user name or password: it is published to every visitor.';
  return undefined;
}
