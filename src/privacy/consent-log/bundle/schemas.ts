import { Type } from 'typebox';

export const BundleQuery = Type.Object({
  date_from: Type.String({
    format: 'date',
    description: 'First day, in the time zone of the site.',
  }),
  date_to: Type.String({ format: 'date', description: 'Last day, in the time zone of the site.' }),
});

export const Bundle = Type.String({
  contentMediaType: 'application/zip',
  description:
    'A ZIP file with the records as JSON lines with inclusion proofs, the banner versions that they state with pictures, the signed checkpoint, a page that verifies all of it without a server, and SHA-256 hashes.',
});
