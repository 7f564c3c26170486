import { html } from '../../../../platform/html.ts';

/** Tables become cards on phones, and paper gets no colours. */
export const STYLE = html`
:root{color-scheme:light dark;--line:#d0d7de;--soft:#57606a;--card:#f6f8fa}
@media (prefers-color-scheme:dark){:root{--line:#3d444d;--soft:#9198a1;--card:#151b23}}
*{box-sizing:border-box}
body{font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0;background:Canvas;color:CanvasText}
main{max-width:68rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.25rem;line-height:1.3;margin:3rem 0 .5rem}
h3{font-size:1rem;margin:0 0 .5rem}
p,ul{max-width:44rem}
.soft,caption{color:var(--soft)}
address{font-style:normal;white-space:pre-line}
nav ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr));gap:0 1rem;max-width:none;padding:0;list-style:none}
nav a{display:flex;align-items:center;min-height:2.75rem}
.scroll{overflow-x:auto}.scroll:focus-visible,a:focus-visible{outline:2px solid;outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.25rem 0}
th,td{border-bottom:1px solid var(--line);padding:.45rem 1rem .45rem 0;text-align:left;vertical-align:top;max-width:24rem;overflow-wrap:anywhere}
th{white-space:nowrap}
.card{border:1px solid var(--line);background:var(--card);border-radius:6px;padding:1rem;margin:1rem 0}
dl{display:grid;grid-template-columns:minmax(9rem,16rem) 1fr;gap:.25rem 1rem;margin:0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
h3,dd,td,address{unicode-bidi:plaintext;text-align:left}
@media (max-width:40rem){
h2{margin-top:2.5rem}
dl{display:block}dd{margin-bottom:.6rem}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,caption,tbody,tr,td{display:block}
tr{border:1px solid var(--line);background:var(--card);border-radius:6px;padding:.5rem 1rem;margin:.75rem 0}
td{border:0;padding:.25rem 0;max-width:none}
td:empty{display:none}
td::before{content:attr(data-title);display:block;color:var(--soft)}
}
@media print{
:root{color-scheme:light;--line:#999;--soft:#333;--card:#fff}
body{font-size:10pt}main{max-width:none;padding:0}
.scroll{overflow:visible}table{font-size:9pt}th,td{white-space:normal;overflow-wrap:break-word;padding-right:.5rem}
.card,tr,dl>div{break-inside:avoid}h2,h3,caption{break-after:avoid}
thead{display:table-header-group}
}
@page{margin:16mm}
`;
