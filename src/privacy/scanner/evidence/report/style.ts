/** Readable on screen and on paper, without anything from elsewhere. */
export const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 2.5rem 1.5rem; background: #fff; color: #1b1f24;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 .25rem; font-size: 1.7rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 2px solid #1b1f24; font-size: 1.25rem; }
h3 { margin: 2rem 0 .5rem; font-size: 1.05rem; }
h4 { margin: 1.25rem 0 .5rem; font-size: .95rem; }
p, ul { margin: 0 0 .75rem; max-width: 48rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 0; }
dt { color: #57606a; }
dd { margin: 0; }
dd, td { text-align: left; unicode-bidi: plaintext; }
table { width: 100%; border-collapse: collapse; margin-bottom: 1rem; font-size: .875rem; }
caption { text-align: left; color: #57606a; padding-bottom: .35rem; }
th, td { border-top: 1px solid #d0d7de; padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; }
table.findings { table-layout: fixed; margin-top: 1rem; }
.findings th:nth-child(1) { width: 18%; }
.findings th:nth-child(2) { width: 32%; }
td ul { margin: 0; padding-left: 1.1rem; }
code { font: .85em ui-monospace, Menlo, Consolas, monospace; }
.accused { color: #a3121f; font-weight: 600; }
.visits { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
figure { margin: 0; border: 1px solid #d0d7de; padding: .75rem; break-inside: avoid; }
figure img { display: block; width: 100%; height: auto; border: 1px solid #d0d7de; margin-bottom: .5rem; }
figcaption { font-size: .875rem; }
.missing { border: 2px solid #9a6700; padding: .75rem 1rem; }
@page { size: A4; margin: 16mm 14mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  h2, h3, h4 { break-after: avoid; }
  tr { break-inside: avoid; }
}
`;
