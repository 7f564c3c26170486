import { describe, expect, it } from 'vitest';
import { findInitiator } from './requests.ts';

const BANNER = 'https://pavis.test/banner.js';
const TRACKER = 'https://cdn.vendor.test/tracker.js';
const toStack = (...urls: string[]) => ({ callFrames: urls.map((url) => ({ url })) });
type Initiator = Parameters<typeof findInitiator>[0];

describe('The initiator of a request', () => {
  it.each([
    ['is the script that sends it', [toStack(TRACKER)], TRACKER],
    ['is the script that sends it through the banner', [toStack(BANNER, '', TRACKER)], TRACKER],
    ['is the banner if it alone sends it', [toStack(BANNER, BANNER), toStack(TRACKER)], BANNER],
    ['is what started the script without an address', [toStack(''), toStack(TRACKER)], TRACKER],
  ])('%s', (_title, [first, parent], initiator) => {
    const stack = { ...first, ...(parent && { parent }) };
    expect(findInitiator({ type: 'script', stack } as Initiator)).toEqual({ initiator });
  });
});
