import type { BannerControl, BannerMeasure, StateVisit } from '../observation.ts';
import { NECESSARY_WORDS } from './choice/choice-label.ts';
import { type FrameControls, readControls } from './choice/read-controls.ts';
import { evaluateInFrame, type FrameResult, getIsolatedWorld } from './frames.ts';
import type { Tab } from './tab.ts';
import { ANSWER_MS, withTimeout } from './timeouts.ts';

const LABEL_MAX = 120;

type Place = Pick<BannerControl, 'x' | 'y' | 'width' | 'height'>;
type Look = Pick<BannerControl, 'color' | 'background' | 'fontSize' | 'fontWeight'>;

interface FrameMeasure {
  /** How the text of each control is rendered, in their order. */
  looks: Look[];
  preTicked: string[];
}

interface WindowMeasure {
  width: number;
  height: number;
  /** Part of the window that the banner and its backdrop cover. */
  coverage: number;
  /** The page cannot be scrolled, although it is longer than the window. */
  isLocked: boolean;
}

/** Defines `layer`, the banner around the controls, and the functions of the script that has read them in this frame. */
const LAYER = `
  const { all, path, isShown, isOver, isNamed, normalise, getText } = globalThis.bannerFunctions;
  const first = globalThis.controls?.find(({ role }) => role !== 'reopen')?.element;
  const around = first ? path(first).slice(1).filter((at) => at !== document.body && at !== document.documentElement) : [];
  const layer = around.find(isOver) ?? around.find(isNamed) ?? around[1] ?? around[0];`;

/** Returns {@link FrameMeasure}. Colours are painted one over the other, so that translucent ones count as they look. */
const MEASURE_FRAME = `(() => {${LAYER}
  const necessary = ${JSON.stringify(NECESSARY_WORDS)};
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const paint = (colours) => {
    canvas.fillStyle = '#fff';
    for (const colour of ['#fff', ...colours]) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return 'rgb(' + [red, green, blue].join(', ') + ')';
  };
  const textWithin = (element) => {
    const walker = document.createTreeWalker(element.shadowRoot ?? element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (data.trim() && parentElement?.checkVisibility()) return parentElement;
    }
    return element;
  };
  const looks = (globalThis.controls ?? []).map(({ element: control }) => {
    const text = textWithin(control);
    const { color, fontSize, fontWeight } = getComputedStyle(text);
    const behind = path(text).map((at) => getComputedStyle(at).backgroundColor).toReversed();
    return {
      color: paint([...behind, color]),
      background: paint(behind),
      fontSize: parseFloat(fontSize),
      fontWeight: Number(fontWeight),
    };
  });
  const isTicked = (box) => (box.checked ?? box.getAttribute('aria-checked') === 'true') &&
    !box.disabled && box.getAttribute('aria-disabled') !== 'true';
  // Many boxes are drawn by their label.
  const isVisible = (box) => isShown(box) || [...box.labels ?? []].some(isShown);
  const getName = (box) => (box.labels?.[0]?.innerText || box.getAttribute('aria-label') ||
    box.parentElement?.innerText || '').trim().replace(/\\s+/g, ' ').slice(0, ${LABEL_MAX});
  const BOXES = 'input[type=checkbox], [role=checkbox], [role=switch]';
  const preTicked = (layer ? all(BOXES).filter((box) => path(box).includes(layer)) : [])
    .filter((box) => isTicked(box) && isVisible(box))
    .map(getName)
    .filter((name) => name !== '' && !necessary.some((stem) => normalise(name).includes(stem)));
  return { looks, preTicked: [...new Set(preTicked)].slice(0, 20) };
})()`;

/** Returns {@link WindowMeasure}. @param frame place of the frame that has the banner */
const measureWindow = (frame: Place | undefined): string => `(() => {${LAYER}
  const frame = ${JSON.stringify(frame ?? null)};
  const ownText = (element) => getText(element).replace(layer && element.contains(layer) ? getText(layer) : '', '').trim();
  const isBackdrop = (at) => {
    const { width, height } = at.getBoundingClientRect();
    return getComputedStyle(at).position === 'fixed' && width >= innerWidth * 0.95 &&
      height >= innerHeight * 0.95 && ownText(at).length < 40;
  };
  const isCovered = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit; ) hit = inner;
    if (!hit) return false;
    const isFrame = frame && hit.localName === 'iframe' && x >= frame.x && y >= frame.y &&
      x <= frame.x + frame.width && y <= frame.y + frame.height;
    const parents = path(hit);
    return isFrame || (layer && parents.includes(layer)) || parents.slice(0, 3).some(isBackdrop);
  };
  const COLUMNS = 16, ROWS = 12;
  let covered = 0;
  for (let column = 0; column < COLUMNS; column++) {
    for (let row = 0; row < ROWS; row++) {
      if (isCovered((column + 0.5) * innerWidth / COLUMNS, (row + 0.5) * innerHeight / ROWS)) covered++;
    }
  }
  const isLocked = [document.documentElement, document.body].some((at) =>
    at && getComputedStyle(at).overflowY === 'hidden') &&
    document.documentElement.scrollHeight > innerHeight + 50;
  return { coverage: covered / COLUMNS / ROWS, isLocked, width: innerWidth, height: innerHeight };
})()`;

/** Most of the window: what is left of the page cannot be used. */
const BLOCKING = 0.95;

/** Measures the consent banner that a page shows. Undefined if it shows none. */
export async function measureBanner(tab: Tab): Promise<BannerMeasure | undefined> {
  const frames = (await readControls(tab)).filter(({ value }) => value.hasBanner);
  if (frames.length === 0) return undefined;
  const measured = await Promise.all(frames.map((frame) => measureFrame(tab, frame)));
  const controls = measured.flatMap((each) => each.controls);
  const framed = measured.find(({ place }) => place !== undefined)?.place;
  const main = await tab.main;
  const contextId = await getIsolatedWorld(main, tab.mainFrame);
  const around = await evaluateInFrame<WindowMeasure>(
    { session: main, contextId },
    measureWindow(framed),
  );
  const { coverage = 0, isLocked = false } = around ?? {};
  const has = (role: BannerControl['role']) => controls.some((control) => control.role === role);
  return {
    controls,
    window: around ? { width: around.width, height: around.height } : null,
    clicksToAccept: has('accept') ? 1 : null,
    clicksToReject: has('reject') ? 1 : null,
    preTicked: measured.flatMap(({ preTicked }) => preTicked),
    coverage,
    blocksPage: coverage >= BLOCKING || isLocked,
  };
}

async function measureFrame(tab: Tab, frame: FrameResult<FrameControls>) {
  const { isMainFrame, frameId } = frame;
  const found = await evaluateInFrame<FrameMeasure>(frame, MEASURE_FRAME);
  const place = isMainFrame ? undefined : await locateFrame(tab, frameId);
  const controls = frame.value.controls.flatMap((control): BannerControl[] => {
    const { role, index, rank: _rank, kind: _kind, isHarmless: _isHarmless, ...look } = control;
    if (role === 'reopen') return [];
    const x = look.x + (place?.x ?? 0);
    const y = look.y + (place?.y ?? 0);
    return [{ ...look, ...found?.looks[index], x, y, role, layer: 1 }];
  });
  return { controls, preTicked: found?.preTicked ?? [], place };
}

/** Where a frame of the page's own document is; undefined for frames within frames. */
async function locateFrame(tab: Tab, frameId: string): Promise<Place | undefined> {
  const main = await tab.main;
  const locate = async () => {
    await main.send('DOM.enable');
    const { backendNodeId } = await main.send('DOM.getFrameOwner', { frameId });
    const { model } = await main.send('DOM.getBoxModel', { backendNodeId });
    const [x = 0, y = 0] = model.content;
    return { x, y, width: model.width, height: model.height };
  };
  const place = await withTimeout(locate(), ANSWER_MS);
  main.sendAndForget('DOM.disable');
  return place;
}

/** Adds what the visit in which the banner was rejected has shown: the second layer, and the presses that it took. */
export function completeMeasure(
  measure: BannerMeasure,
  rejected: Pick<StateVisit, 'outcome' | 'clicks'>,
  secondLayer: readonly BannerControl[],
): BannerMeasure {
  return {
    ...measure,
    controls: [...measure.controls, ...secondLayer],
    ...(rejected.outcome === 'reached' && { clicksToReject: rejected.clicks }),
  };
}
