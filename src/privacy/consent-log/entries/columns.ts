import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';

/** How the value of a column is written: as it is, as ISO 8601, as true or false, or as the list that its JSON holds. */
type ColumnForm = 'plain' | 'moment' | 'flag' | 'list';

export interface EntryColumn {
  name: string;
  form: ColumnForm;
}

/** The columns of consent records to which an entry commits, each list in the order of RFC 8785. */
export interface EntryColumns {
  /** Hashed with a salt: anonymising removes them. */
  personal: EntryColumn[];
  facts: EntryColumn[];
}

/** Columns without personal data that are not texts, so that the declaration does not name them. */
const FACTS = ['id', 'config_version'];
/** Records that were anonymised before the log began keep their salt. For others it is null while they have one. */
const ANONYMISED_AT = 'anonymised_at';

/** The columns of an entry, from what is personal data according to the declaration. */
export function toEntryColumns({
  personal,
  impersonal,
  json = [],
  flags = [],
}: PersonalDataDeclaration): EntryColumns {
  function getForm(name: string): ColumnForm {
    if (json.includes(name)) return 'list';
    if (flags.includes(name)) return 'flag';
    const isMoment =
      name === ANONYMISED_AT || personal[name] === 'day_start' || personal[name] === 'day_end';
    return isMoment ? 'moment' : 'plain';
  }
  // By code units, as RFC 8785 orders the members of an object.
  const toColumns = (names: readonly string[]) =>
    names.toSorted().map((name) => ({ name, form: getForm(name) }));
  return {
    personal: toColumns([...Object.keys(personal), ANONYMISED_AT]),
    facts: toColumns([...impersonal, ...FACTS]),
  };
}
