import type { BannerControl, BannerMeasure, StateVisit } from '../observation.ts';
import { getContrast } from './contrast.ts';
import type { Shortcoming } from './shortcoming.ts';

const TASKFORCE = 'EDPB, report of the Cookie Banner Taskforce, 17 January 2023';

/** A button with less than this part of the other's area or height is much smaller. */
const AREA_MIN = 0.5;
const HEIGHT_MIN = 0.7;
const FONT_MIN = 0.8;

const percent = (ratio: number): number => Math.round(100 * (1 - ratio));
const clicks = (count: number): string => (count === 1 ? '1 click' : `${count} clicks`);

/**
 * Shortcomings of a consent banner, from its measure and from what pressing its controls did. Whether they make consent
 * invalid is for lawyers and authorities: each names the source of the expectation.
 * @param visits of one page; `before` has the measure
 */
export function findBannerShortcomings(
  visits: readonly Pick<StateVisit, 'state' | 'outcome' | 'clicks' | 'control' | 'banner'>[],
): Shortcoming[] {
  const banner = visits.find(({ state }) => state === 'before')?.banner;
  if (!banner) return [];
  // Only the visit that rejects looks for a way behind the first layer.
  const rejected = visits.find(({ state }) => state === 'rejected')?.outcome;
  return [
    ...listRejectShortcomings(banner, rejected === 'no_control'),
    ...listOutcomeShortcomings(banner, visits),
  ];
}

/** @param isWithoutReject no way to reject was found on any layer */
function* listRejectShortcomings(
  banner: BannerMeasure,
  isWithoutReject: boolean,
): Generator<Shortcoming> {
  const { controls, clicksToAccept, clicksToReject, preTicked, blocksPage } = banner;
  const onFirst = (role: BannerControl['role']) =>
    controls.find((control) => control.role === role && control.layer === 1);
  const [accept, reject] = [onFirst('accept'), onFirst('reject')];
  if (accept && !reject) {
    yield {
      code: 'no_reject_on_first_layer',
      title: 'No reject option on the first layer',
      explanation: [
        `The first layer of the banner has an accept button (“${accept.label}”) and no reject option.`,
        ...(clicksToReject === null ? [] : [`Rejecting takes ${clicks(clicksToReject)}.`]),
        ...(isWithoutReject ? ['No way to reject was found.'] : []),
      ].join(' '),
      source: `${TASKFORCE}, paragraph 8`,
    };
  }
  if (clicksToAccept !== null && clicksToReject !== null && clicksToReject > clicksToAccept) {
    yield {
      code: 'reject_takes_more_clicks',
      title: 'Rejecting takes more clicks than accepting',
      explanation: `Accepting takes ${clicks(clicksToAccept)}, rejecting ${clicks(clicksToReject)}.`,
      source: 'CNIL, decisions SAN-2021-023 and SAN-2021-024 of 31 December 2021',
    };
  }
  if (accept && reject) yield* compareControls(accept, reject);
  if (preTicked.length > 0) {
    yield {
      code: 'pre_ticked_boxes',
      title: 'Boxes are ticked in advance',
      explanation: `These optional choices are ticked before the visitor acts: ${preTicked.slice(0, 10).join(', ')}.`,
      source: `Court of Justice of the EU, C-673/17 (Planet49); ${TASKFORCE}, paragraph 10`,
    };
  }
  if (blocksPage && accept && isWithoutReject) {
    yield {
      code: 'cookie_wall',
      title: 'The page can be used only after accepting',
      explanation: `The banner covers ${Math.round(100 * banner.coverage)} % of the window, blocks the page and has no way to reject.`,
      source: `EDPB Guidelines 05/2020 on consent, paragraph 39; ${TASKFORCE}, paragraph 13`,
    };
  }
}

/** Compares the accept and the reject control of the first layer. */
function* compareControls(accept: BannerControl, reject: BannerControl): Generator<Shortcoming> {
  const isInRow = Math.abs(reject.y - accept.y) < accept.height / 2;
  const comesFirst = isInRow ? accept.x < reject.x : accept.y < reject.y;
  const order = comesFirst ? ' The accept button comes first.' : '';
  if (reject.isLink && !accept.isLink) {
    yield {
      code: 'reject_is_link',
      title: 'Rejecting is a link, accepting is a button',
      explanation: `“${reject.label}” is rendered as a link or as text, “${accept.label}” as a button.${order}`,
      source: `${TASKFORCE}, paragraph 14`,
    };
  }
  const area = (reject.width * reject.height) / (accept.width * accept.height);
  const font = reject.fontSize / accept.fontSize;
  const height = reject.height / accept.height;
  const isSmaller = area < AREA_MIN || height < HEIGHT_MIN;
  if (isSmaller || font < FONT_MIN) {
    // A low button can have a larger area.
    const difference =
      area < AREA_MIN ? `${percent(area)} % smaller` : `${percent(height)} % lower`;
    const size = `The reject button is ${difference} than the accept button (${formatSize(reject)} and ${formatSize(accept)} CSS pixels).`;
    const text = `Its text is ${percent(font)} % smaller.`;
    yield {
      code: 'reject_smaller',
      title: 'The reject button is smaller than the accept button',
      explanation:
        [isSmaller ? size : 'The text of the reject button is smaller.', font < FONT_MIN && text]
          .filter(Boolean)
          .join(' ') + order,
      source: `${TASKFORCE}, paragraph 17`,
    };
  }
  const [weak, strong] = [reject, accept].map(({ color, background }) =>
    getContrast(color, background),
  );
  if (weak === undefined || strong === undefined) return;
  const needed = getNeededContrast(reject);
  if (weak < needed && weak < strong) {
    yield {
      code: 'reject_low_contrast',
      title: 'The reject button is harder to read than the accept button',
      explanation: `The text of the reject button has a contrast of ${formatContrast(weak)}:1, that of the accept button ${formatContrast(strong)}:1. WCAG 2.2 requires at least ${needed}:1.${order}`,
      source: `${TASKFORCE}, paragraphs 17 and 18; WCAG 2.2, success criterion 1.4.3`,
    };
  }
}

const formatSize = ({ width, height }: BannerControl): string =>
  `${Math.round(width)} × ${Math.round(height)}`;

/** Large text, from 24 CSS pixels or 18.66 in bold, needs less (WCAG 2.2, 1.4.3). */
const getNeededContrast = ({ fontSize, fontWeight }: BannerControl): number =>
  fontSize >= 24 || (fontSize >= 18.66 && fontWeight >= 700) ? 3 : 4.5;

/** What pressing the controls did. */
function* listOutcomeShortcomings(
  { clicksToAccept }: BannerMeasure,
  visits: readonly Pick<StateVisit, 'state' | 'outcome' | 'clicks' | 'control'>[],
): Generator<Shortcoming> {
  const find = (wanted: StateVisit['state']) => visits.find(({ state }) => state === wanted);
  if (find('rejected')?.outcome === 'no_effect') {
    yield {
      code: 'reject_without_effect',
      title: 'Rejecting has no effect',
      explanation: 'The reject option was pressed, and the banner did not change.',
      source: 'ePrivacy Directive Art. 5(3); GDPR Art. 4(11)',
    };
  }
  const withdrawal = find('withdrawn');
  const isByScript = withdrawal?.outcome === 'reached' && withdrawal.control === 'api';
  if (withdrawal?.outcome === 'no_control' || isByScript) {
    yield {
      code: 'no_withdrawal_control',
      title: 'No way to withdraw consent was found',
      explanation: `After accepting, no button or link was found on the page with which consent can be withdrawn.${
        isByScript ? ' Only a function of the banner’s script opened it again.' : ''
      }`,
      source: `GDPR Art. 7(3); ${TASKFORCE}, paragraph 35`,
    };
  }
  if (withdrawal?.outcome === 'no_effect') {
    yield {
      code: 'withdrawal_without_effect',
      title: 'Withdrawing consent has no effect',
      explanation: 'The control to withdraw consent was pressed, and nothing changed.',
      source: 'GDPR Art. 7(3)',
    };
  }
  const given = clicksToAccept ?? find('accepted')?.clicks ?? 0;
  // One click opens the banner again, which is a usual way to withdraw.
  const isReached = withdrawal?.outcome === 'reached' && !isByScript;
  if (isReached && given > 0 && withdrawal.clicks > given + 1) {
    yield {
      code: 'withdrawal_takes_more_clicks',
      title: 'Withdrawing consent takes more clicks than giving it',
      explanation: `Giving consent takes ${clicks(given)}, withdrawing it ${clicks(withdrawal.clicks)}, one of which may open the banner again.`,
      source: `GDPR Art. 7(3); ${TASKFORCE}, paragraph 34`,
    };
  }
}

/** Rounded down: what is below a requirement must not be shown as meeting it. */
const formatContrast = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1);
