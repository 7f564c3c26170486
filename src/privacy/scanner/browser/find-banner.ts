import { FIND_BANNER, type FoundBanner } from './accept-button.ts';
import { revealClosedRoots } from './choice/closed-roots.ts';
import { evaluateInFrames, type FrameResult } from './frames.ts';
import type { Tab } from './tab.ts';

/** The consent banner with the best accept button, in whichever frame it is. */
export async function findBanner(tab: Tab): Promise<FrameResult<FoundBanner> | undefined> {
  let found = await evaluateInFrames<FoundBanner>(tab, FIND_BANNER);
  if (found.length === 0 && (await revealClosedRoots(tab)))
    found = await evaluateInFrames<FoundBanner>(tab, FIND_BANNER);
  const rank = ({ value }: FrameResult<FoundBanner>) =>
    value.button?.rank ?? Number.POSITIVE_INFINITY;
  return found.toSorted(
    (a, b) => rank(a) - rank(b) || Number(b.isMainFrame) - Number(a.isMainFrame),
  )[0];
}
