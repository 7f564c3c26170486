import type { RuleSource } from './model.ts';

const source = (title: string, article: string, url: string): RuleSource => ({
  article,
  title,
  url,
});

const GDPR = 'https://eur-lex.europa.eu/eli/reg/2016/679/oj';
const CIVIL_CODE =
  'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=CIV&sectionNum=';
const CALIFORNIA = 'https://www.law.cornell.edu/regulations/california/11-CCR-';

export const EPRIVACY = source(
  'ePrivacy Directive 2002/58/EC, amended by Directive 2009/136/EC',
  'Article 5(3)',
  'https://eur-lex.europa.eu/eli/dir/2002/58/2009-12-19',
);
export const GDPR_CONSENT = source('GDPR', 'Article 4(11) and recital 42', GDPR);
export const GDPR_OBJECTION = source('GDPR', 'Article 21(5)', GDPR);
export const GARANTE = source(
  'Garante, guidelines on cookies and other tracking tools of 10 June 2021',
  'Section on the repetition of the banner',
  'https://www.garanteprivacy.it/home/docweb/-/docweb-display/docweb/9677876',
);

export const PECR = source(
  'Privacy and Electronic Communications (EC Directive) Regulations 2003',
  'Regulation 6',
  'https://www.legislation.gov.uk/uksi/2003/2426/regulation/6',
);
export const ICO = source(
  'ICO, guidance on the use of storage and access technologies',
  'Consent mechanisms',
  'https://ico.org.uk/for-organisations/direct-marketing-and-privacy-and-electronic-communications/guidance-on-the-use-of-storage-and-access-technologies/',
);
export const UK_GDPR_OBJECTION = source(
  'GDPR, since 2021 UK GDPR',
  'Article 21(5)',
  'https://www.legislation.gov.uk/eur/2016/679/article/21',
);
export const DUAA = source(
  'Data (Use and Access) Act 2025, in force by SI 2026/82',
  'Section 112 and Schedule 12 (Schedule A1 to the 2003 Regulations)',
  'https://www.legislation.gov.uk/ukpga/2025/18/section/112',
);

export const CCPA_OPT_OUT = source('California Civil Code', '§ 1798.120', `${CIVIL_CODE}1798.120`);
export const CCPA_LINK = source('California Civil Code', '§ 1798.135(a)', `${CIVIL_CODE}1798.135`);
export const CCPA_WAIT = source(
  'California Civil Code',
  '§ 1798.135(c)(4)',
  `${CIVIL_CODE}1798.135`,
);
export const CCPA_SYMMETRY = source(
  'California Code of Regulations, title 11',
  '§ 7004(a)(2)',
  `${CALIFORNIA}7004`,
);
export const CCPA_SIGNAL = source(
  'California Code of Regulations, title 11',
  '§ 7025(b) and (c)(1)',
  `${CALIFORNIA}7025`,
);
export const CCPA_CONFIRMATION = source(
  'California Code of Regulations, title 11',
  '§ 7025(c)(6)',
  `${CALIFORNIA}7025`,
);

export const FMG = source(
  'Telecommunications Act (FMG), SR 784.10',
  'Article 45c',
  'https://www.fedlex.admin.ch/eli/cc/1997/2187_2187_2187/de#art_45_c',
);
export const FDPIC = source(
  'FDPIC, guidelines on data processing with cookies and similar technologies',
  'Version 1.0 of 22 January 2025',
  'https://www.edoeb.admin.ch/de/cookie-leitfaden-aktualisiert',
);
export const FADP = source(
  'Federal Act on Data Protection (FADP), SR 235.1',
  'Article 30(2)(b)',
  'https://www.fedlex.admin.ch/eli/cc/2022/491/en',
);

export const MARCO_CIVIL = source(
  'Marco Civil da Internet, Lei 12.965/2014',
  'Article 7, IX',
  'https://www.planalto.gov.br/ccivil_03/_ato2011-2014/2014/lei/l12965.htm',
);
export const LGPD_CONSENT = source(
  'LGPD, Lei 13.709/2018',
  'Article 7, I, and Article 8',
  'https://www.planalto.gov.br/ccivil_03/_ato2015-2018/2018/lei/l13709.htm',
);
export const LGPD_OBJECTION = source(
  'LGPD, Lei 13.709/2018',
  'Article 18, § 2',
  'https://www.planalto.gov.br/ccivil_03/_ato2015-2018/2018/lei/l13709.htm',
);
export const ANPD = source(
  'ANPD, guide on cookies and personal data protection of 18 October 2022',
  'First-layer banner',
  'https://www.gov.br/anpd/pt-br/centrais-de-conteudo/materiais-educativos-e-publicacoes/guia-orientativo-cookies-e-protecao-de-dados-pessoais.pdf',
);
