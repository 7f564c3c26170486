/** Personal data by words in field names, in seven languages. Whole words only, so that `filename` does not match `name`. */
const BY_NAME: readonly [kind: string, words: RegExp][] = [
  ['email', /^(e?mail|email(address|adresse)?|correo|courriel)$/],
  ['phone', /^(phone|tel|telephone|telefon|telefoon|telefono|mobile|handy|mobil|movil|fax|gsm)$/],
  [
    'birth_date',
    /^(birth|birthday|birthdate|dob|geburtsdatum|geburtstag|naissance|nacimiento|nascita|geboortedatum)$/,
  ],
  [
    'address',
    /^(address|street|strasse|straße|adresse|adres|direccion|indirizzo|rue|calle|via|zip|postcode|plz|postal|city|ort|ville|ciudad|citta|stad|miasto)$/,
  ],
  [
    'name',
    /^(name|fname|lname|firstname|lastname|surname|fullname|vorname|nachname|nom|prenom|nombre|apellido|apellidos|cognome|nome|naam|voornaam|achternaam|imie|nazwisko)$/,
  ],
];
/** Prefixes of names that are not personal, for example `company_name` and `form_name`. */
const NOT_A_PERSON =
  /^(company|firma|firm|organi[sz]ation|user|login|file|form|product|field|event|domain|host|list|project|tag|nick)$/;

const BY_TYPE: Readonly<Record<string, string>> = {
  email: 'email',
  tel: 'phone',
  password: 'password',
  file: 'file',
};

/** HTML standard, autofill field names. */
const BY_AUTOCOMPLETE: readonly [kind: string, pattern: RegExp][] = [
  ['email', /^email$/],
  ['phone', /^tel/],
  ['name', /^(name|(given|family|additional)-name|honorific-)/],
  ['address', /^(street-address|address-|postal-code|country)/],
  ['birth_date', /^bday/],
  ['payment', /^cc-/],
  ['password', /^(current|new)-password$/],
];

const NEVER_PERSONAL = new Set(
  'hidden submit button image reset checkbox radio range color search'.split(' '),
);

/** Undefined if the field does not ask for personal data. */
export function classifyField(field: {
  type?: string | undefined;
  name?: string | undefined;
  autocomplete?: string | undefined;
}): string | undefined {
  const type = field.type?.trim().toLowerCase() ?? '';
  if (NEVER_PERSONAL.has(type)) return undefined;
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type];
  // `section-…`, `shipping` or `home` may precede it.
  const autofill = field.autocomplete?.trim().toLowerCase().split(/\s+/).at(-1) ?? '';
  const filled = BY_AUTOCOMPLETE.find(([, pattern]) => pattern.test(autofill));
  return filled ? filled[0] : byName(field.name ?? '');
}

function byName(name: string): string | undefined {
  const words = name
    .slice(0, 200)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
  for (const [kind, pattern] of BY_NAME) {
    if (!words.some((word) => pattern.test(word))) continue;
    if (kind !== 'name' || !words.some((word) => NOT_A_PERSON.test(word))) return kind;
  }
  return undefined;
}
