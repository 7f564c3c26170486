import type { EntryInput, Statement } from './format.ts';

/** The banner that was shown, in the language of the record. */
export interface ShownNotice {
  version: number;
  /** SHA-256 of the stored version. */
  hash: string;
  language: string;
  title: string;
  message: string;
  /** The text in place of `message` for visitors who are not asked but may object, if there were any. */
  optOutMessage: string | undefined;
  privacyUrl: string;
  categories: { id: string; label: string; description: string; required: boolean }[];
}

export interface ReceiptController {
  name: string;
  address: string;
  email: string;
}

const CONTEXT = {
  dct: 'http://purl.org/dc/terms/',
  dpv: 'https://w3id.org/dpv#',
  pavis: 'urn:pavis:consent-receipt#',
};

interface Contents {
  recordId: number;
  visitorId: string;
  createdAt: string;
  expiresAt: string;
  accepted: readonly string[];
  rejected: readonly string[];
  /** Vendors that differ from their category. */
  vendorsAccepted: readonly string[] | undefined;
  vendorsRejected: readonly string[] | undefined;
  notice: ShownNotice | undefined;
  /** The categories for which visitors were not asked. */
  required: readonly string[];
  controller: ReceiptController;
  siteUrl: string;
  entry: EntryInput;
  key: string;
}

/** The statement of a receipt, by ISO/IEC TS 27560 and the guide of the Data Privacy Vocabulary for it. */
export function createStatement(contents: Contents): Statement {
  const { controller, notice, accepted, rejected, required } = contents;
  const toPurpose = (id: string, isAccepted: boolean) =>
    describePurpose(id, { isAccepted, isRequired: required.includes(id), notice });
  return {
    '@context': CONTEXT,
    '@type': 'dpv:ConsentRecord',
    'dct:conformsTo': 'https://w3id.org/dpv/schema/dpv-27560#receipt-record',
    'dct:identifier': String(contents.recordId),
    'dct:created': contents.createdAt,
    'dct:valid': contents.expiresAt,
    'dpv:hasDataSubject': { 'dct:identifier': contents.visitorId },
    'dpv:hasDataController': {
      '@id': contents.siteUrl,
      'dpv:hasName': controller.name || new URL(contents.siteUrl).host,
      'dpv:hasAddress': controller.address || undefined,
      'dpv:hasContact': controller.email || undefined,
    },
    'dpv:hasLegalBasis': 'dpv:Consent',
    'dpv:hasNotice': notice && {
      '@type': 'dpv:ConsentNotice',
      'dct:identifier': String(notice.version),
      'dct:language': notice.language,
      'dct:title': notice.title,
      'dct:description': notice.message,
      'pavis:optOutDescription': notice.optOutMessage,
      'dct:source': notice.privacyUrl,
      'pavis:sha256': notice.hash,
    },
    'dpv:hasPurpose': [
      ...accepted.map((id) => toPurpose(id, true)),
      ...rejected.map((id) => toPurpose(id, false)),
    ],
    'pavis:vendorsAccepted': contents.vendorsAccepted,
    'pavis:vendorsRejected': contents.vendorsRejected,
    'pavis:entry': { ...contents.entry },
    'pavis:key': contents.key,
  };
}

function describePurpose(
  id: string,
  {
    isAccepted,
    isRequired,
    notice,
  }: { isAccepted: boolean; isRequired: boolean; notice: ShownNotice | undefined },
) {
  const category = notice?.categories.find((each) => each.id === id);
  return {
    '@type': 'dpv:Purpose',
    'dct:identifier': id,
    'dct:title': category?.label,
    'dct:description': category?.description || undefined,
    // No consent is asked for what is strictly necessary.
    ...(isRequired
      ? { 'dpv:hasContext': 'dpv:Required' }
      : { 'dpv:hasConsentStatus': isAccepted ? 'dpv:ConsentGiven' : 'dpv:ConsentRefused' }),
  };
}
