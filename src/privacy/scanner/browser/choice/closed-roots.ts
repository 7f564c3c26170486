import type { CdpSession } from '../cdp.ts';
import { getIsolatedWorld } from '../frames.ts';
import type { Tab } from '../tab.ts';
import { ANSWER_MS, withTimeout } from '../timeouts.ts';

const ROOTS_MAX = 20;

type Node = Awaited<ReturnType<typeof getDocument>>['root'];

const getDocument = (session: CdpSession) =>
  session.send('DOM.getDocument', { depth: -1, pierce: true });

/**
 * Lets our scripts in the frames of a page see closed shadow roots, which are out of reach for scripts otherwise.
 * @returns whether there are any
 */
export async function revealClosedRoots(tab: Tab): Promise<boolean> {
  const found = await Promise.all(
    tab.documents().map((session) => withTimeout(revealIn(session, tab.mainFrame), ANSWER_MS)),
  );
  return found.some((count) => count !== undefined && count > 0);
}

async function revealIn(session: CdpSession, mainFrame: string): Promise<number> {
  const { root } = await getDocument(session);
  const closed = [...listClosedRoots(root, mainFrame)].slice(0, ROOTS_MAX);
  for (const { backendNodeId, frameId } of closed) {
    const executionContextId = await getIsolatedWorld(session, frameId);
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    if (!object.objectId) continue;
    await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: `function () {
        globalThis.closedRoots ??= [];
        if (!globalThis.closedRoots.includes(this)) globalThis.closedRoots.push(this);
      }`,
    });
  }
  return closed.length;
}

function* listClosedRoots(
  node: Node,
  frameId: string,
): Generator<{ backendNodeId: number; frameId: string }> {
  for (const root of node.shadowRoots ?? []) {
    if (root.shadowRootType === 'closed') yield { backendNodeId: root.backendNodeId, frameId };
    yield* listClosedRoots(root, frameId);
  }
  for (const child of node.children ?? []) yield* listClosedRoots(child, frameId);
  if (node.contentDocument)
    yield* listClosedRoots(
      node.contentDocument,
      node.contentDocument.frameId ?? node.frameId ?? frameId,
    );
}
