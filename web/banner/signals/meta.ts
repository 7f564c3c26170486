import { onConsent } from './on-consent.ts';

/** Meta Pixel. Source: Meta for Developers, “Meta Pixel: General Data Protection Regulation”. */
interface Pixel {
  (...command: unknown[]): void;
  /** Set once the library has loaded. */
  callMethod?: unknown;
  queue?: unknown[];
}

let fbq = (window as { fbq?: Pixel }).fbq;
let command = 'revoke';

const send = () => fbq?.('consent', command);

/** Meta requires `consent` before `init`, so the command goes to the front of the queue. */
function sendFirst(): void {
  send();
  if (!fbq?.callMethod && fbq?.queue) fbq.queue.unshift(fbq.queue.pop());
}

// Meta's snippet loads nothing if `fbq` exists. So nothing is defined before it, and the moment at which it sets `fbq`
// is watched. It has not created its queue then: the command is added once the script of the snippet has run, and
// before the library can.
Reflect.defineProperty(window, 'fbq', {
  configurable: true,
  enumerable: true,
  get: () => fbq,
  set(value: Pixel | undefined) {
    fbq = value;
    queueMicrotask(sendFirst);
  },
});
sendFirst();
onConsent((has) => {
  command = has('marketing') ? 'grant' : 'revoke';
  send();
});
