import type { CdpSession } from './cdp.ts';
import { ISOLATED_WORLD } from './hook-scripts.ts';
import type { Tab } from './tab.ts';
import { ANSWER_MS, withTimeout } from './timeouts.ts';

const FRAMES_MAX = 40;

export interface FrameResult<T> {
  session: CdpSession;
  contextId: number;
  frameId: string;
  isMainFrame: boolean;
  value: T;
}

/**
 * Evaluates an expression in an isolated world of every frame, where page scripts cannot interfere.
 * @param expression may return a promise
 * @param ms limit per frame; slower frames are left out
 */
export async function evaluateInFrames<T>(
  tab: Tab,
  expression: string,
  ms = ANSWER_MS,
): Promise<FrameResult<T>[]> {
  const evaluate = async (session: CdpSession, frameId: string) => {
    const contextId = await getIsolatedWorld(session, frameId);
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
      // Ends the evaluation in the page as well.
      timeout: ms,
    });
    if (exceptionDetails || !result.value) return [];
    const isMainFrame = frameId === tab.mainFrame;
    return [{ session, contextId, frameId, isMainFrame, value: result.value as T }];
  };
  const perSession = tab.documents().map(async (session) => {
    const tree = await withTimeout(session.send('Page.getFrameTree'), ms);
    const ids = tree ? frameIds(tree.frameTree).slice(0, FRAMES_MAX) : [];
    return Promise.all(ids.map((id) => withTimeout(evaluate(session, id), ms)));
  });
  return (await Promise.all(perSession)).flat().flatMap((found) => found ?? []);
}

/** Evaluates an expression in one frame. Undefined if the frame has gone or takes too long. */
export async function evaluateInFrame<T>(
  { session, contextId }: Pick<FrameResult<unknown>, 'session' | 'contextId'>,
  expression: string,
): Promise<T | undefined> {
  const answer = session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  return (await withTimeout(answer, ANSWER_MS))?.result.value;
}

/** The world is created with the document, and found by name. */
export async function getIsolatedWorld(session: CdpSession, frameId: string): Promise<number> {
  const asked = { frameId, worldName: ISOLATED_WORLD };
  return (await session.send('Page.createIsolatedWorld', asked)).executionContextId;
}

interface FrameTree {
  frame: { id: string };
  childFrames?: FrameTree[];
}

const frameIds = ({ frame, childFrames = [] }: FrameTree): string[] => [
  frame.id,
  ...childFrames.flatMap(frameIds),
];
