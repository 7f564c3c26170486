import type { ZipFile } from '../../../platform/zip.ts';
import { PICTURES_KEPT } from '../visits/rules.ts';
import { listUnrecorded, type Pack } from './pack.ts';

export const toReadme = (pack: Pack): ZipFile => ({
  path: 'README.txt',
  chunks: () => [renderReadme(pack)],
});

function renderReadme(pack: Pack): string {
  const { scan } = pack;
  const missing = listUnrecorded(pack);
  return `Evidence pack of scan ${scan.id} of ${scan.siteUrl}

report.html    The report, with all pictures. Open it in a browser, or print it.
verdicts.json  All findings with their verdicts and evidence.
requests.har   All requests, as an HTTP Archive (HAR 1.2), one page for each page and state.
               The network panel of browsers can import it.
cookies.json   Cookies and storage at the end of each visit, without values.
pictures/      The window at the end of each visit, as PAGE-STATE.jpg.
manifest.json  What the pack was made of and with, and the size and SHA-256 of every file.
SHA256SUMS     The SHA-256 of every file.
${missing.length > 0 ? `\nNot recorded, or removed:\n${missing.map((each) => `- ${each}\n`).join('')}` : ''}
To check that no file was changed, unpack the ZIP file and run in its folder:

  Linux:    sha256sum -c SHA256SUMS
  macOS:    shasum -a 256 -c SHA256SUMS
  Windows:  Get-FileHash * -Algorithm SHA256 (PowerShell), and compare with SHA256SUMS

The hashes show that the files belong together. They do not prove who made the pack or when: anyone who changes a file
can also change the hashes. Keep the SHA-256 of the ZIP file in a place that cannot be changed later, for example in a
signed email. Pavis makes the same bytes again as long as the scan is stored with its pictures, its vendors have the
same names and the version of Pavis is the same. ${PICTURES_KEPT}

The report shows what the scan observed. It does not assess whether the site complies with the law.
`;
}
