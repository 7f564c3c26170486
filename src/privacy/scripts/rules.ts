import { hasValidHost } from '../../platform/http/host-name.ts';

/** Where parsers differ on what the host is, or what would end an attribute of a page. */
const AMBIGUOUS = /[\\<>"`]/;

/** What is wrong with the address of a script, beside its form and length; undefined if nothing is. */
export function getScriptUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || AMBIGUOUS.test(text) || !hasValidHost(url))
    return 'script_url must be an http or https URL with a valid host name and without backslashes, quotation marks and angle brackets, for example https://cdn.example.com/script.js.';
  if (url.username || url.password || /^https?:\/\/[^/?#]*@/i.test(text))
    return 'script_url must not hold a user name or password: it is published to every visitor.';
  return undefined;
}
