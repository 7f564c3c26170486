// As the tokenizer of HTML has them: a quote begins a value only after the equals sign of a name.
const SPACE = '\t\n\f\r ';
const VALUE = `[${SPACE}]*=[${SPACE}]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^${SPACE}>]*)`;
const ATTRIBUTES = `(?:[${SPACE}/]|[^${SPACE}/>][^${SPACE}/>=]*(?:${VALUE})?)*(?:>|$)`;
/**
 * All tags and comments, each as a whole, so that what looks like a tag in an attribute or in the text of these elements
 * is left as it is. Where one begins, an alternative always matches, also without an end: nothing is read twice.
 */
export const TAGS = RegExp(
  `(<(script|iframe|textarea|title|style|xmp|no(?:script|embed|frames))(?=[${SPACE}/>])${ATTRIBUTES})(.*?)(?=</\\2[${SPACE}/>]|$)|<!--(?:-?>|.*?(?:--!?>|$))|</?[a-z]${ATTRIBUTES}|<[!?/][^>]*`,
  'gis',
);
