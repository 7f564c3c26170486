import { onConsent } from './on-consent.ts';

/**
 * Microsoft Advertising (UET). Source: Microsoft Advertising Help, article 60119 (UET consent mode). The tag replaces the
 * queue when it loads, so the queue is read each time.
 */
const shared = window as { uetq?: { push(...command: unknown[]): unknown } };

function send(kind: 'default' | 'update', isGranted: boolean): void {
  shared.uetq ??= [];
  shared.uetq.push('consent', kind, { ad_storage: isGranted ? 'granted' : 'denied' });
}

send('default', false);
onConsent((has) => send('update', has('marketing')));
