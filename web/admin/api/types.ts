import type { Static } from 'typebox';
import type * as consent from '../../../src/privacy/consent/schemas.ts';
import type * as dataMap from '../../../src/privacy/data-map/schemas.ts';
import type * as developer from '../../../src/privacy/developer/schemas.ts';
import type * as origins from '../../../src/privacy/origins/schemas.ts';
import type * as scanner from '../../../src/privacy/scanner/schemas.ts';
import type * as scripts from '../../../src/privacy/scripts/schemas.ts';
import type * as settings from '../../../src/privacy/settings/schemas.ts';
import type * as vendors from '../../../src/privacy/vendors/schemas.ts';

/** What the API says and takes, as its own schemas have it. */
export type ConsentRecord = Static<typeof consent.ConsentRecordSchema>;
export type ConsentStats = Static<typeof consent.ConsentStats>;
export type Settings = settings.SiteSettings;
export type ConsentSettings = settings.ConsentConfig;
export type ConsentVersion = Static<typeof settings.ConsentVersion>;
export type RefusedOrigin = Static<typeof origins.RefusedOriginRecord>;
export type Vendor = Static<typeof vendors.VendorRecord>;
export type VendorCreation = Static<typeof vendors.VendorCreation>;
export type Entry = Static<typeof dataMap.EntryRecord>;
export type EntryCreation = Static<typeof dataMap.EntryCreation>;
export type BulkAddAnswer = Static<typeof dataMap.BulkAddAnswer>;
export type Script = Static<typeof scripts.ScriptRecord>;
export type Scan = Static<typeof scanner.ScanRecord>;
export type ScanDetail = Static<typeof scanner.ScanDetail>;
export type ScanResults = Static<typeof scanner.Results>;
export type Finding = ScanResults['results'][number];
export type Hook = Static<typeof developer.Hook>;
export type ExtensionListing = Static<typeof developer.ExtensionListing>;
