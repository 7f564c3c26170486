import type { Period } from './store.ts';

export const renderReadme = (
  siteUrl: string,
  timeZone: string,
  { from, to }: Period,
): string => `Consent records of ${siteUrl} from ${from} to ${to}, with proofs

The days are those of the time zone ${timeZone}, and both are included. Times in the records are in UTC.

records/*.jsonl        One consent record per line, oldest first: what its entry in the consent log is computed from
                       (facts, personal, salt), the index of the entry, and the proof (RFC 6962, Base64).
versions.jsonl         The entries about the banner versions that the records state, and about their pictures.
versions/N.json        Version N of the banner: its settings and texts.
pictures/SHA256.png    Pictures of the banner. versions.jsonl says what each shows.
checkpoint.txt         The signed state of the log to which all proofs lead (C2SP tlog-checkpoint).
log-key.txt            The verifier key of the log. Compare it with one that you have from elsewhere.
manifest.json          The period and the number of records: proven, not logged at the checkpoint, altered, and
                       unproven because the consent log was damaged.
receipt-verifier.html  Checks this bundle. It works without a connection.
SHA256SUMS             The SHA-256 of every other file.

To check everything, open receipt-verifier.html in a browser and choose the ZIP file without unpacking it.
To check only that no file was changed, unpack the ZIP file and run in its folder:

  Linux:    sha256sum -c SHA256SUMS
  macOS:    shasum -a 256 -c SHA256SUMS

With other software: the entry of a line is

  0x01 || kind || SHA-256("pavis-consent/v1\\n" || hP || hF)
  hP = SHA-256("pavis-consent-p/v1\\n" || salt || personal), or personal_hash; in versions.jsonl without both
  hF = SHA-256("pavis-consent-f/v1\\n" || facts)

A record with personal_hash was anonymised: its personal data is gone, and its facts are still proven.
A record of kind 7 is older than the log: it is proven what it was when the log began, not that it was so before.
A record without an index was not in the log at the checkpoint, or the log was damaged (unproven in manifest.json).

The bundle shows that its records are what was logged. It does not show that the visitors made these choices, nor that no
record was left out of the bundle: on the server, "pavis log verify --deep" compares all records with the log.
The records are personal data.
`;
