import { parentPort, workerData } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as german } from '@zxcvbn-ts/language-de';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import type { StrengthCheck } from './password-strength.ts';

/** Above it are no common passwords with a year or a few digits appended. */
const GUESSES_MIN = 1e9;

const { password, personal } = workerData as StrengthCheck;
const zxcvbn = new ZxcvbnFactory({
  graphs: adjacencyGraphs,
  dictionary: { ...common, ...english, ...german },
});
const { guesses } = zxcvbn.check(password, ['pavis', ...personal]);
parentPort?.postMessage(guesses < GUESSES_MIN);
